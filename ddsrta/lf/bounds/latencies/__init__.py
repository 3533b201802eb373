"""Ways of events through a federation: chains, deadlines, and their verdicts."""
