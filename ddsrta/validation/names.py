"""Which bound a measured latency is of, by its name."""

from __future__ import annotations

from ddsrta.base.diagnostics import did_you_mean
from ddsrta.base.units import Duration
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.validation.measured import Key

CHAIN_FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")
MOST_ADVISED = 50  # names that others are looked for that look like them

Bound = tuple[str, str, str]  # kind, name, figure
Bounds = dict[Bound, Duration | None]


def way_of(publisher: str, topic: str, subscriber: str) -> str:
    """What a message is called."""
    return f"{publisher} → {topic} → {subscriber}"


def label(key: Key) -> str:
    """What a latency is called."""
    return way_of(*key.name) if len(key.name) == 3 else key.name[0]


class Names:
    """The bounds of a result by their names."""

    def __init__(self, bounds: Bounds, result: Result) -> None:
        self.bounds, self.result = bounds, result
        self.by_name: dict[str, list[Bound]] = {}
        self.by_kind: dict[str, dict[str, None]] = {}
        for bound in bounds:
            self.by_name.setdefault(bound[1], []).append(bound)
            self.by_kind.setdefault(bound[0], {})[bound[1]] = None
        self.advised = 0

    def found(self, key: Key) -> Bound | None:
        """The bound that a latency is of."""
        if key.kind == "named":
            _, found = self._named(key.name[0])
            if len({one[0] for one in found}) != 1:
                return None
            bounds = self.bounds  # of two modes of a message the looser bound
            return max(found, key=lambda one: (bounds[one] is None, bounds[one] or 0))
        exact = key.kind, label(key), _figure(key)
        return exact if exact in self.bounds else None

    def advice(self, key: Key) -> str:
        """Why there is none, and what may be meant."""
        if key.kind == "named":
            plain, found = self._named(key.name[0])
            if found:
                kinds = sorted({kind for kind, _, _ in found})
                listed = " or ".join(f"'{kind}:{plain}'" for kind in kinds)
                return f"there are several of this name: write {listed}"
            return self._like(plain, self.by_name)
        same = self.by_kind.get(key.kind, {})
        if label(key) in same:
            return f"it has no bound of {_figure(key) or key.kind}"
        return self._like(label(key), same)

    def _like(self, name: str, known: dict[str, list[Bound]] | dict[str, None]) -> str:
        """Looking for what is alike takes a look at each: not for each of very many."""
        self.advised += 1
        if self.advised > MOST_ADVISED:
            return "there is no such name"
        return did_you_mean(name, known)

    def _named(self, name: str) -> tuple[str, list[Bound]]:
        """What a name alone may mean: of a chain (the figure that its deadline is of, or its
        latency), a message or a thread, with 'chain:', 'message:' or 'response:' in front where
        that is not clear."""
        kind, _, rest = name.partition(":")
        wanted = {kind} if kind in ("chain", "message", "response") else set()
        plain = (rest if wanted else name).strip().replace("->", "→")
        plain = " → ".join(part.strip() for part in plain.split("→"))
        found = self.by_name.get(plain, ())
        return plain, [
            one for one in found if (not wanted or one[0] in wanted) and self._is_asked(one)
        ]

    def _is_asked(self, one: Bound) -> bool:
        """Of a chain only one figure can be meant by its name."""
        kind, name, figure = one
        if kind != "chain":
            return True
        chain: ChainResult = self.result.chains[name]
        wanted = self.bounds.get(("chain", name, chain.constraint))
        if chain.deadline is not None or wanted is not None:
            return figure == chain.constraint
        return figure == next(f for f in CHAIN_FIGURES if ("chain", name, f) in self.bounds)


def _figure(key: Key) -> str:
    return "wcet" if key.kind == "execution" else key.figure
