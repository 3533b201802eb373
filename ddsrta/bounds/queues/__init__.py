"""Places in queues: how many are needed, what full ones lose (lemma room-overflow)."""
