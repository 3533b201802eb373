"""Drafts what makes the tags of a federate: timers, actions, watchdogs, and what modes do to them.

A mode keeps its own time: timers start anew when it is reset, events wait while it is not active.
So whatever is in a mode has its events at any time, unless annotations say how far apart they are.
"""

from __future__ import annotations

from ddsrta.formats.draft import LeftOut, Mapping, Remark, Value, guessed
from ddsrta.lf.draft.costs import Costs
from ddsrta.lf.draft.scheduling import extra_delay
from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.program.language.syntax import Action, Expression, Mode, Reaction, Timer, Watchdog
from ddsrta.lf.program.language.values import finite

_POLICIES = ("defer", "drop", "replace", "update")
_ANY = "extra_delay"


def in_mode(reactor: Reactor, mode: str) -> bool:
    """Whether something that is in `mode` of a reactor ('': in none) is in any mode.

    A reactor that stands in a mode of another is in it with all that it has.
    """
    here: Reactor | None = reactor
    while not mode and here is not None and here.instance is not None:
        mode = here.instance.mode
        here = here.parent
    return bool(mode)


class Events:
    """Timers and actions of a federate in the making."""

    def __init__(self, root: Reactor, name: str, costs: Costs, notes: list[str]) -> None:
        self.root = root
        self.name = name
        self.costs = costs
        self.notes = notes
        self.timers: Mapping = {}
        self.actions: Mapping = {}
        self.watchdogs: dict[str, list[str]] = {}  # of each reactor

    def add(self, reactor: Reactor) -> None:
        """Take those of a reactor, not of those in it."""
        definition = reactor.found.definition
        for timer in definition.of(Timer):
            path = self._path(reactor, timer.name, timer)
            if in_mode(reactor, timer.mode):
                why = "a timer of a mode starts anew when that is reset"
                self.actions[path] = self._anytime(reactor, timer.name, why)
            else:
                self.timers[path] = self._timer(reactor, timer)
        for action in definition.of(Action):
            self.actions[self._path(reactor, action.name, action)] = self._action(reactor, action)
        for watchdog in definition.of(Watchdog):
            self._watchdog(reactor, watchdog)
        modes = definition.of(Mode)
        if modes:
            place = f"{self.name}: {reactor.path(self.root) or 'the federate'}"
            where = reactor.source(modes[0]).position(modes[0].at)
            self.notes.append(f"{where}: modes of {place}: all of them count as active")

    def _path(self, reactor: Reactor, name: str, thing: Timer | Action | Watchdog) -> str:
        path = reactor.path(self.root)
        found = f"{path}.{name}" if path else name
        if found in self.timers or found in self.actions:
            message = f"there is another timer or action '{name}' in this reactor"
            raise reactor.source(thing).error(thing.at, message)
        return found

    def _timer(self, reactor: Reactor, timer: Timer) -> Value:
        entry: Mapping = {}
        for key, value in (("offset", timer.offset), ("period", timer.period)):
            if value is not None:
                time = finite(value, reactor.scope, reactor.source(timer), f"the {key} of a timer")
                if time:
                    entry[key] = time
        return entry

    def _anytime(self, reactor: Reactor, name: str, why: str) -> Mapping:
        """Events that come at any time, as far apart as annotations say."""
        if spacing := self._given(reactor, name):
            return {"min_spacing": Remark(spacing, why)}
        asked = LeftOut(f"min_spacing: not in the program: {why}")
        return {_ANY: Remark("any", why), "left out": asked}

    def _given(self, reactor: Reactor, name: str) -> int | None:
        path = reactor.path()
        names = (f"{path}.{name}" if path else name, f"{reactor.found.definition.name}.{name}")
        self.costs.actions.update(dict.fromkeys(names))
        given = self.costs.annotations.find("actions", *names)
        return None if given is None else given["min_spacing"]

    def _watchdog(self, reactor: Reactor, watchdog: Watchdog) -> None:
        """Its tag is that of its expiration, and its handler runs at any time: see `lock`."""
        self._refuse_effects(reactor, watchdog)
        path = self._path(reactor, watchdog.name, watchdog)
        why = "a watchdog is started by target code"
        self.actions[path] = self._anytime(reactor, watchdog.name, why)
        self.watchdogs.setdefault(reactor.path(self.root), []).append(watchdog.name)
        where = reactor.source(watchdog).position(watchdog.at)
        what = f"the timeout of the watchdog {path}, when it is started"
        self.notes.append(f"{where}: {what}, and its thread, taken to have a core to itself")

    def _refuse_effects(self, reactor: Reactor, watchdog: Watchdog) -> None:
        """A handler is no part of a tag: what it schedules may get a tag that is long over."""
        physical = {
            action.name for action in reactor.found.definition.of(Action) if action.physical
        }
        for ref in watchdog.effects:
            if ref.container or ref.name not in physical:
                message = f"a watchdog that has an effect on '{ref.name}' is not modelled"
                hint = "leave it to a reaction to the watchdog"
                raise reactor.source(watchdog).error(watchdog.at, message, hint)

    def lock(self, reactor: Reactor) -> Mapping:
        """What each reaction of a reactor may wait for first; empty if it has no watchdog.

        A handler holds the reactor's lock, of whatever tag the reaction is. While one waits, each
        watchdog expires at most once: only another reaction of the reactor starts it again.
        """
        names = ", ".join(self.watchdogs.get(reactor.path(self.root), ()))
        why = f"not in the program: a placeholder for all handlers of watchdogs: {names}"
        return {"wcet": guessed("1ms", why)} if names else {}

    def _action(self, reactor: Reactor, action: Action) -> Value:
        delay = self._time(reactor, action, action.delay, "the delay of an action")
        spacing = self._time(reactor, action, action.spacing, "the spacing of an action")
        if spacing == 0 and not action.physical:
            self._no_spacing(reactor, action)
        given = self._given(reactor, action.name)
        modal = in_mode(reactor, action.mode)
        if given is not None or modal:  # a reset forgets the event before
            spacing = given
        entry: Mapping = {"kind": "physical"} if action.physical else {}
        left: Mapping = {}
        if action.physical and not spacing:
            # No spacing is no promise: it may come at any rate.
            left = {"left out": LeftOut("min_spacing: not in the program: how often it comes")}
        elif not spacing:
            extra = None if modal else self._extra(reactor, action)
            why = "events of a mode wait while it is not active"
            if extra is None:
                why = why if modal else "the extra delay is up to target code"
                left = self._anytime(reactor, action.name, why)
            delay = (delay or 0) + (extra or 0)
        if delay:
            entry["min_delay"] = delay
        if spacing:
            entry["min_spacing"] = spacing
        return entry | self._policy(reactor, action) | left

    def _no_spacing(self, reactor: Reactor, action: Action) -> None:
        """A spacing of 0 is not none: the runtime for C puts what comes at one time to microstep 0,
        which may be over, and moves what comes behind an event of a later tag to the time of that.
        """
        where = reactor.source(action).position(action.at)
        of = f"{self.name}.{action.name}"
        what = (
            "is taken for none, but the runtime for C moves events of one time, drops them or ends"
        )
        self.notes.append(f"{where}: the spacing of 0 of {of} {what}")

    def _extra(self, reactor: Reactor, action: Action) -> int | None:
        """What reactions add to its delay; None: any time."""
        definition = reactor.found.definition
        schedulers = [
            reaction
            for reaction in definition.of(Reaction)
            if any(not ref.container and ref.name == action.name for ref in reaction.effects)
        ]
        targets = {reactor.found.home(reaction).target for reaction in schedulers}
        if len(targets) > 1:
            return None
        return extra_delay(action.name, schedulers, next(iter(targets), ""))

    def _policy(self, reactor: Reactor, action: Action) -> Mapping:
        policy = action.policy.lower()
        if policy and policy not in _POLICIES:
            where = reactor.source(action).position(action.at)
            self.notes.append(f"{where}: policy {policy!r} of {self.name}.{action.name}")
            return {}
        return {"policy": policy} if policy else {}

    def _time(
        self, reactor: Reactor, action: Action, value: Expression | None, what: str
    ) -> int | None:
        if value is None:
            return None
        return finite(value, reactor.scope, reactor.source(action), what)
