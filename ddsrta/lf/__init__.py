"""Lingua Franca federations: what they are, and what their coordination costs."""
