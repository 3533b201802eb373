"""Stages in a row on one supply as one unit of work (lemmas joined-work and group-window)."""
