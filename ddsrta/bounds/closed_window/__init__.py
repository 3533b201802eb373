"""All work of a closed set of stages, counted from when none of it was there (lemma
closed-window)."""
