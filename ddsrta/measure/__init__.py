"""Measuring on a real machine, by the programs of `harness/`."""
