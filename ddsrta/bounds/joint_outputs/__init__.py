"""What flow controllers send to a listener, one sample after the other (lemma joint-outputs)."""
