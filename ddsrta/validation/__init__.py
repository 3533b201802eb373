"""Bounds beside measured latencies: traces of real runs, read and held against an analysis."""
