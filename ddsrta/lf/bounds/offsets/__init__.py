"""Decentralized coordination: safe-to-process offsets, waits, and what they cost."""
