"""Section 6.2 of the base paper: one publisher, three topics, four ways to send."""
