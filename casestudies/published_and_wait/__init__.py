"""Eq. 23 of the base paper: the wait of an AND activation."""
