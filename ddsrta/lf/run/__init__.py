"""Runs of federations: simulated ones, and traces of real ones."""
