"""Reads programs of Lingua Franca; target code stays closed."""

from ddsrta.lf.program.language.parse import parse, read_program
from ddsrta.lf.program.language.syntax import Program

__all__ = ["Program", "parse", "read_program"]
