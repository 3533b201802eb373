"""The discrete-event simulation of a system: what is seen, beside what is bounded."""

from ddsrta.simulation.build import program_of
from ddsrta.simulation.choices import random_choices, worst_choices
from ddsrta.simulation.run import Run

__all__ = ["Run", "program_of", "random_choices", "worst_choices"]
