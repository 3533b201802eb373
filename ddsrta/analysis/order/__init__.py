"""In which orders a subscriber can see the messages of one event (docs/theory.md, Orders)."""
