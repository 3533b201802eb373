"""AND jobs come no more often than their slowest input (lemma slowest-input)."""
