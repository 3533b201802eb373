"""Design-space exploration: what a study.yaml leaves open, tried, and the best of it confirmed."""
