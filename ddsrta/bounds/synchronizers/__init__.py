"""Message synchronisation: what sets of messages look like, and when they come (definition
message-stamps)."""
