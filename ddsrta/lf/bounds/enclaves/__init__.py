"""Enclaves: parts of a federate with tags of their own; their lags, and good ways to cut."""
