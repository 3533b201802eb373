"""What combines the analysis of a system with its simulation."""
