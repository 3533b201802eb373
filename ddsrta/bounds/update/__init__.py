"""Results of systems that differ a little from one that was analysed (lemma parts-apart)."""
