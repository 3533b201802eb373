"""Durations, diagnostics, text, files: imported by all, and imports nothing of ddsrta."""
