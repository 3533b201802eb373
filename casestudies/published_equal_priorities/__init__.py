"""Threads of equal priority under the published analysis."""
