"""What is pending when a unit arrives, and what comes while it waits (lemma pending-window)."""
