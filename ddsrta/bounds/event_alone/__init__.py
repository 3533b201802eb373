"""What one event makes a closed set of stages do, where all of it is done before the next one comes
(lemma event-alone)."""
