"""In which orders a subscriber can see the messages of one event (lemma message-order)."""
