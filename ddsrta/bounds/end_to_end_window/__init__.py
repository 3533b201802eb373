"""What each core does meanwhile counts once for a whole path (lemma end-to-end-window)."""
