"""Traced programs of Lingua Franca: bounds fed from their own traces beside the observed lags."""
