"""Lemma 10 of the base paper: a less urgent sample that is being sent."""
