"""Files of other tools: what they read, and what they write."""
