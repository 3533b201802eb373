"""Logical time: when reactions are activated, how close two tags can be, and what is certain."""
