"""The claims about orders: what a subscriber sees first (theory 13)."""
