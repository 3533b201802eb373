"""Two topics of one publisher, seen in another order than they were sent (Xronos, section III)."""
