"""Searches for the run in which something takes longest."""

from ddsrta.simulation.attack.attack import Budget, Found, attack, attack_all
from ddsrta.simulation.attack.hint import Hint
from ddsrta.simulation.attack.ways import Way

__all__ = ["Budget", "Found", "Hint", "Way", "attack", "attack_all"]
