"""The claims about orders: what a subscriber sees first (lemma message-order)."""
