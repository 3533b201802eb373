"""All windows of a crowded part of a large system at once, from below (lemmas pending-window and
latest-by-path)."""
