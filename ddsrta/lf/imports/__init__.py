"""Drafts federations from programs and traces of Lingua Franca."""

from ddsrta.lf.imports.program import read

__all__ = ["read"]
