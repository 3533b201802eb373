"""Bounds of federations: offsets, lags, deadlines and chains, by coordination and scheduler."""
