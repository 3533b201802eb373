"""What others of SCHED_OTHER take while a thread waits for its share (lemma fair-share)."""
