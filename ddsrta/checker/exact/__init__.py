"""Worst cases from both sides: situations that no run leaves, and runs (lemma explored-runs)."""
