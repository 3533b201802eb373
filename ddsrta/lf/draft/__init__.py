"""Drafts federations from programs and traces of Lingua Franca."""

from ddsrta.lf.draft.program import read

__all__ = ["read"]
