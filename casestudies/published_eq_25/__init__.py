"""Eq. 25 of the base paper: several messages of one synchronous job."""
