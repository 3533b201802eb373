"""Which empty tags enclaves may ask others for, what answers take (lemma empty-tags)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.enclaves.cut import Cut
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.tags import Tags
from ddsrta.checker.lf.things import BUILT_IN, Connection, Federation
from ddsrta.checker.lf.times import Times
from ddsrta.checker.reading import shown

LAST = 2**32  # behind all microsteps of a time
_Askers = dict[str, int]  # with what their `after` adds
_Asked = tuple[str, Tags]


class Questions:
    """`asked`: of each enclave the empty tags that it may get, and from whom; `asks`: whom each may
    ask; `endless`: why questions of some have no end."""

    def __init__(self, cut: Cut, times: Times, budget: Budget) -> None:
        self.cut, self.times, self.budget = cut, times, budget
        parts = cut.whole.federates
        self.asked: dict[str, dict[Tags, _Askers]] = {name: {} for name in parts}
        self.asks: dict[str, set[tuple[str, int | None]]] = {name: set() for name in parts}
        self.endless: dict[str, str] = {}
        self._upstream: dict[str, list[Connection]] = {name: cut.into(name) for name in parts}
        self._below: dict[str, set[str]] = {}
        if any(part.overhead for part in parts.values()):
            self._follow()

    def _follow(self) -> None:
        since: dict[_Asked, int] = {}
        queue = [
            (name, tags, first)
            for name in self.cut.whole.federates
            if not self._has_theirs(name)
            for tags, first in self.times.advanced(name).items()
        ]
        while queue:
            name, tags, first = queue.pop()
            for joint in self._upstream[name]:
                self.budget.curve()
                wanted = before(tags, joint.after)
                if wanted is None or self._certain(joint.source, wanted, first):
                    continue
                if joint.source in self._reached(name):
                    self.endless[name] = f"{shown(name)} can be asked by whom it asks"
                    continue
                self.asks[name].add((joint.source, joint.after))
                askers = self.asked[joint.source].setdefault(wanted, {})
                askers[name] = max(askers.get(name, 0), joint.after or 0)
                begins = first - (joint.after or 0)
                if begins < since.get((joint.source, wanted), begins + 1):
                    since[joint.source, wanted] = begins
                    queue.append((joint.source, wanted, begins))

    def _has_theirs(self, name: str) -> bool:
        """Whether all its tags come with messages of one enclave, which is done with them."""
        part = self.cut.whole.federates[name]
        ways = {(joint.source, joint.after) for joint in self._upstream[name]}
        triggers = {t for raw in part.reactions.values() for t in raw.triggers}
        if part.timers or part.actions or triggers & set(BUILT_IN):
            return False
        if any(inner.after is not None for inner in part.inner):
            return False
        if any(c.physical for c in self.cut.whole.incoming[name]):
            return False
        return len(ways) <= 1 and not any(after for _, after in ways)

    def _certain(self, name: str, tags: Tags, since: int) -> bool:
        """Whether an enclave has these tags by itself, from a time on."""
        part = self.cut.whole.federates[name]
        for place in (*part.timers, *part.inputs):
            begins = self.times.sure.get((name, place), {}).get(tags)
            if begins is not None and begins <= since:
                return True
        return False

    def _reached(self, name: str) -> set[str]:
        """All that messages of an enclave lead to."""
        if name not in self._below:
            found: set[str] = set()
            stack = [name]
            while stack:
                here = stack.pop()
                for joint in self.cut.joints:
                    if joint.source == here and joint.target not in found:
                        found.add(joint.target)
                        stack.append(joint.target)
            self._below[name] = found
        return self._below[name]

    def order(self) -> list[str]:
        """Who asks comes before whom it asks; nobody asks in a circle."""
        waiting = dict.fromkeys(self.asks, 0)
        for asked in self.asks.values():
            for source, _ in asked:
                waiting[source] += 1
        ready = [name for name, count in waiting.items() if not count]
        found = []
        while ready:
            name = ready.pop()
            found.append(name)
            for source, _ in self.asks[name]:
                waiting[source] -= 1
                if not waiting[source]:
                    ready.append(source)
        return found

    def answers(self, whole: Federation) -> dict[str, int]:
        """How long all that each may ask take, one after the other: an empty tag, and before that
        those that it asks for itself."""
        found: dict[str, int] = {}
        for name in reversed(self.order()):
            asked = self.asks[name]
            found[name] = sum(whole.federates[s].overhead + found[s] for s, _ in asked)
        return found

    def lateness(
        self, done: Mapping[str, int | None], answers: Mapping[str, int]
    ) -> dict[str, dict[Tags, int | None]]:
        """How late after their time empty tags are asked for at most, where tags are `done` so
        late; None: any time later."""
        found: dict[str, dict[Tags, int | None]] = {}
        latest: dict[str, int | None] = {}
        for name in self.order():
            rows = found[name] = {}
            for tags, askers in self.asked[name].items():
                self.budget.curve()
                known = [(latest[by], after) for by, after in askers.items()]
                times = [None if late is None else late + after for late, after in known]
                rows[tags] = None if None in times else max(t for t in times if t is not None)
            own = [done[name], *rows.values()]
            some = [one for one in own if one is not None]
            latest[name] = max(some) + answers[name] if len(some) == len(own) else None
        return found


def before(tags: Tags, after: int | None) -> Tags | None:
    """The last tag that can reach one over a connection; None: it would be before all.

    >>> before(Tags(None, 10, 3), None), before(Tags(None, 10, 3), 4) == Tags(None, 10, 9, LAST)
    (Tags(root=None, period=10, at=3, step=0, once=False), True)
    """
    if after is None:
        return tags
    if after == 0 and tags.step:
        return tags._replace(step=tags.step - 1)
    at = tags.at - (after or 1)
    if tags.root is None:
        if tags.period is None and at < 0:
            return None
        at = at % tags.period if tags.period else at
    return tags._replace(at=at, step=LAST)


def known(late: Mapping[Tags, int | None], name: str) -> dict[Tags, int]:
    """How late each is asked for, where that is bounded for all."""
    if None in late.values():
        raise NoBoundError(f"empty tags of {shown(name)} may be asked for any time later")
    return {tags: value for tags, value in late.items() if value is not None}
