"""That no run leaves a list of situations, and what is the most in them (lemma explored-runs)."""

from __future__ import annotations

from ddsrta.checker.budget import Budget
from ddsrta.checker.exact.listed import Listed
from ddsrta.checker.exact.model import Model
from ddsrta.checker.exact.moves import Moves
from ddsrta.checker.exact.states import Name, State
from ddsrta.checker.exact.zones import Rows, inside
from ddsrta.checker.reading import array
from ddsrta.checker.sums import RefutedError


class Closed:
    """The list holds the beginning, and with each situation all that follow."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self.moves, self.budget = Moves(model), budget
        self.known: dict[Name, list[Rows]] = {}
        self.followed = 0

    def check(self, value: object, where: str) -> list[int]:
        """The most of each figure, -1 where none is ever over."""
        listed = Listed(self.moves)
        states: list[State] = []
        for number, one in enumerate(array(value, where)):
            for state in listed.situation(one, f"{where}.{number}"):
                size = len(state.zone.most)
                self.budget.curve(size * size)
                if state.zone.tighten():
                    name, rows = state.settled()
                    self.known.setdefault(name, []).append(rows)
                    states.append(state)
        self._holds(self.moves.first(), "the beginning")
        for number, state in enumerate(states):
            self._follow(state, f"what follows from situation {number}")
        return self.moves.worst

    def _follow(self, state: State, what: str) -> None:
        """All orders of all that may happen at the next instant."""
        left = [state]
        while left:
            s = left.pop()
            self.budget.curve(len(s.zone.most) ** 2)
            for new in self.moves.happens(s):
                left.append(new)
                for settled in self.moves.settle(new.copy()):
                    self._holds(settled, what)

    def _holds(self, state: State, what: str) -> None:
        """Time goes on, and the list has what it is then."""
        if not self.moves.wait(state):
            return
        self.followed += 1
        name, rows = state.settled()
        found = self.known.get(name, ())
        self.budget.curve(len(found))
        if not any(inside(rows, one) for one in found):
            raise RefutedError(f"{what} is not in the list (lemma explored-runs)")
