"""Four scenarios of two periodic tasks under schedulers of Lingua Franca and Linux (Soyer)."""
