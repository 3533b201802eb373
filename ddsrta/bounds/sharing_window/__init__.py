"""What shares locks and cores with a stage, from when none of it was pending (lemma
sharing-window)."""
