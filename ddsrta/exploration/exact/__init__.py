"""Worst cases of small systems by exhaustive exploration (lemma explored-runs)."""
