"""Gantt charts of an instance: for pages, and for terminals."""

from ddsrta.report.gantt_svg import svg
from ddsrta.report.gantt_text import text

__all__ = ["svg", "text"]
