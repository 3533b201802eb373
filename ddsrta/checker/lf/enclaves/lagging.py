"""How late enclaves start their tags, given how late all are done (lemma enclave-lags)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.enclaves.again import may_run_again
from ddsrta.checker.lf.enclaves.barriers import Barriers, Part
from ddsrta.checker.lf.enclaves.cut import Cut
from ddsrta.checker.lf.enclaves.questions import Questions, known
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.lf.times import Times
from ddsrta.checker.reading import shown


class Model:
    """The enclaves of a federation, their tags and questions."""

    def __init__(self, cut: Cut, budget: Budget) -> None:
        self.cut, self.budget = cut, budget
        self.times = Times(cut.whole)
        self.questions = Questions(cut, self.times, budget)
        self.crowded = cut.crowded()
        self._pinned = cut.pinned()

    @cached_property
    def whole(self) -> Federation:
        """Nobody has more workers than there are cores."""
        parts = self.cut.whole.federates.items()
        most = {n: self.crowded.get(p.host, p.workers) for n, p in parts}
        return self.cut.whole._replace(
            federates={n: p._replace(workers=min(p.workers, most[n])) for n, p in parts}
        )

    @property
    def asked(self) -> bool:
        """Whether anybody may be asked for empty tags."""
        return any(self.questions.asked.values())

    def obstacle(self, name: str) -> str | None:
        """Why nothing is known of an enclave, whatever it does."""
        if name in self.cut.receiving:
            return f"waiting of {shown(name)} for other federates is not modelled"
        if name in self.questions.endless:
            return self.questions.endless[name]
        if name in self._locked:
            return f"{shown(name)} waits for itself"
        host = self.cut.whole.federates[name].host
        if host in self._pinned:
            return self._pinned[host]
        if self.cut.whole.target == "C" and any(
            self._physical(c.source) for c in self.cut.into(name)
        ):
            return f"{shown(name)} waits for physical events"
        if self.cut.whole.target == "C" and may_run_again(self.cut, self.times, name):
            return f"a reaction of {shown(name)} may run twice at a tag"
        if self.cut.whole.target == "C" and len({c.source for c in self.cut.into(name)}) > 1:
            return f"{shown(name)} waits for one of several enclaves that send to it"
        return None

    def _physical(self, name: str) -> bool:
        whole = self.cut.whole
        actions = whole.federates[name].actions.values()
        return any(a.physical for a in actions) or any(c.physical for c in whole.incoming[name])

    @cached_property
    def _locked(self) -> set[str]:
        """Who waits for itself at a tag, over others."""
        ahead: dict[str, list[str]] = {}
        for joint in self.cut.joints:
            if joint.after is None:
                ahead.setdefault(joint.source, []).append(joint.target)
        found = set()
        for name in ahead:
            seen: set[str] = set()
            stack = [name]
            while stack:
                self.budget.curve()
                for other in ahead.get(stack.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
            if name in seen:
                found.add(name)
        return found


class Lagging:
    """With the execution times of `whole`, where tags are claimed to be `done` so late (None: no
    claim), and perhaps `later` than that for other reasons."""

    def __init__(
        self,
        model: Model,
        whole: Federation,
        done: Mapping[str, int | None],
        later: Mapping[str, int] | None = None,
    ) -> None:
        self.model, self.whole, self.done = model, whole, done
        more = later or {}
        late = {n: None if d is None else d + more.get(n, 0) for n, d in done.items()}
        self.answers = model.questions.answers(whole)
        self._late = model.questions.lateness(late, self.answers)
        self._barriers: dict[str, Barriers] = {}

    def of(self, name: str) -> Barriers:
        """What its tags take."""
        if name not in self._barriers:
            model, part = self.model, self.whole.federates[name]
            asked = known(self._late[name], name)
            joined = set(model.cut.joints)
            sent = [c for c in self.whole.outgoing[name] if c not in joined]
            program = Part(name, part, sent, bool(model.cut.into(name)), self.whole.target == "Cpp")
            self._barriers[name] = Barriers(
                program, model.times, model.budget, self.answers[name], asked,
                own_cores=part.host not in model.crowded,
            )  # fmt: skip
        return self._barriers[name]

    def waits(self, name: str) -> int:
        """How late its tags may start at least, for what it waits upstream."""
        if (why := self.model.obstacle(name)) is not None:
            raise NoBoundError(why)
        most = 0
        for joint in self.model.cut.into(name):
            done = self.done[joint.source]
            if done is None:
                raise NoBoundError(f"no bound of {shown(joint.source)} is claimed")
            most = max(most, done - (joint.after or 0))
        return self.answers[name] + most
