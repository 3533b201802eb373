"""Section 6.5 of the base paper: the Autoware reference system, four ways to send."""
