"""The independent check of what is claimed of Lingua Franca federations (docs/lf.md)."""
