"""Analyses as published, to reproduce and compare figures: no bound of ddsrta rests on them."""
