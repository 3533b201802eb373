"""Who delays whom, and on what supply (definitions delay-relations and thread-supply)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.costs import EPSILON
from ddsrta.checker.executors import INLINE, Turns
from ddsrta.checker.members import Load, Supply, at_worst, fits
from ddsrta.checker.policies import POLICIES, Policy, Sender
from ddsrta.checker.pools import shadow
from ddsrta.checker.related import Others, Queue, Relations, Together
from ddsrta.checker.stages import LINK, Key, Stage
from ddsrta.checker.things import FAIR, Middleware, Place, Reservation, System

_MOST_URGENT = 2**31  # above all of SCHED_FIFO


class Neighbours:
    """The relations of every stage to those of its supply."""

    def __init__(self, system: System, stages: Mapping[Key, Stage]) -> None:
        self.system = system
        self.executors = {name: Turns(system, name) for name in system.executors}
        self.places: dict[tuple[str, str], Place] = {}
        self.names: dict[tuple[str, str], Key] = {}  # of supplies, by thread
        self.found: dict[Key, tuple[Stage, Relations]] = {}
        self.at_once = any(map(_comes_at_once, stages.values()))
        self.senders: dict[Key, Sender] = {}
        self.promised: dict[str, list[Reservation]] = {}
        self.budgets: dict[tuple[str, str], Supply] = {}
        self.waits = self._served(stages)
        self.supplies: dict[Key, list[Stage]] = {}
        for stage in stages.values():
            self.supplies.setdefault(self.supply_name(stage), []).append(stage)
        self.shadows = self._shadows(stages)
        self.above: dict[tuple[Key, int], Together] = {}
        self.equals: dict[tuple[Key, int], list[Stage]] = {}
        self.queues: dict[tuple[str, str], Queue] = {}
        self.known: dict[Key, int | None] = {}
        self.sound: dict[str, bool] = {}
        self.loads: dict[str, list[Load]] = {}
        self.loaders: dict[Key, Load] = {}  # by the supply of the thread
        runners = {(stage.kind, stage.runner): stage for stage in stages.values()}
        for stage in runners.values():
            place = self.place(stage)
            if place.reservation:
                load = self.loaders[self.supply_name(stage)] = Load(*place.reservation)
                self.loads.setdefault(place.core, []).append(load)

    def _served(self, stages: Mapping[Key, Stage]) -> dict[Key, int]:
        """Jobs that a reservation of their own serves by their deadlines, and what they wait for;
        they are above all that has a priority (lemma deadline-servers)."""
        runners = {(stage.kind, stage.runner): stage for stage in stages.values()}
        members: dict[str, list[tuple[Stage, Place]]] = {}
        for stage in runners.values():
            place = self.place(stage)
            if place.reservation:
                members.setdefault(place.core, []).append((stage, place))
                self.promised.setdefault(place.core, []).append(place.reservation)
        if not members:
            return {}
        from ddsrta.checker.deadline_servers import by_deadlines, waits

        found = waits(self.system, members)
        if not self.system.sleeps:
            self.budgets = by_deadlines(members, found)
        for key in found:
            thread = "thread", key[1]
            place = self.places[thread]
            self.places[thread] = place._replace(priority=_MOST_URGENT, reservation=None)
        return found

    def wait(self, stage: Stage) -> int | None:
        """What a job waits for that is looked at beforehand, and by no relation: it is one of
        these, or has a known offset (lemma offset-windows)."""
        if stage.key in self.waits:
            return self.waits[stage.key]
        if stage.kind != "thread" or stage.arrival is None or stage.arrival.offset is None:
            return None
        if stage.key not in self.known:
            self.known[stage.key] = self._by_offsets(stage)
        return self.known[stage.key]

    def _by_offsets(self, stage: Stage) -> int | None:
        place = self.place(stage)
        if place.reservation or self.system.sleeps or self.supply(stage)[0] is not None:
            return None
        above = self.as_urgent(stage)
        if any(map(self.cores, above)):  # on one core of several, or a shadow of what is
            return None
        if place.partition is not None or any(
            other.key != stage.key and self.place(other).priority == place.priority
            for other in above
        ):
            return None
        from ddsrta.checker.offset_windows import wait

        others = [other for other in above if other.key != stage.key]
        return wait(stage, others, self.supply(stage)[1])

    def as_urgent(self, stage: Stage) -> list[Stage]:
        """All on its supply that are no less urgent."""
        mine = self.place(stage).priority
        beside = self.supplies[self.supply_name(stage)]
        return [other for other in beside if self.place(other).priority >= mine]

    def fits(self, stage: Stage) -> bool:
        """Whether what a stage runs on is a supply: not where a core is promised twice."""
        place = self.place(stage)
        if stage.kind == LINK:
            return True
        if place.core not in self.sound:
            core = self.system.cores[place.core]
            parts = tuple(core.partitions.values()), tuple(self.promised.get(place.core, ()))
            self.sound[place.core] = all(map(fits, parts))
        is_promised = place.partition is not None or place.reservation is not None
        return self.sound[place.core] or not is_promised

    def place(self, stage: Stage) -> Place:
        """Where the thread of a stage runs."""
        thread = stage.kind, stage.runner
        if thread not in self.places:
            self.places[thread] = self._place(stage)
        return self.places[thread]

    def _place(self, stage: Stage) -> Place:
        if stage.kind == "thread":
            return self.system.threads[stage.runner].place
        if stage.kind == "executor":
            return self.system.executors[stage.runner].place
        if stage.kind == LINK:
            return Place(f"link {stage.runner}", 0, None, None)
        return self._middleware(stage).place

    def peers(self, stage: Stage) -> int:
        """How many stages share the supply of a stage."""
        return len(self.supplies[self.supply_name(stage)])

    def relations(self, stage: Stage) -> Relations:
        """Who delays a stage."""
        found = self.found.get(stage.key)
        if found is None or found[0] is not stage:
            found = self.found[stage.key] = stage, self._relations(stage)
            if stage.mixes and self.wait(stage) is None:
                found[1].mix()
        return found[1]

    def in_any_order(self, stage: Stage) -> Relations:
        """The same of one message of it, which all others of its own may go before."""
        found = self._relations(stage)
        if self.wait(stage) is None:
            found.mix()
        return found

    def _relations(self, stage: Stage) -> Relations:
        wait = self.wait(stage)
        if wait is not None:
            found = Relations(None)
            found.at_once = self.at_once
            found.wait, found.served = wait, self.as_urgent(stage)
            return found
        found = Relations(*self.supply(stage))
        found.at_once = self.at_once
        if self.is_pool(stage):
            self._in_pool(found, stage)
            return found
        if cores := self.cores(stage):
            self._on_set(found, stage, cores)
            return found
        if stage.kind != LINK:
            found.preempts = self._above(stage)
        if self._is_queued(stage):
            queue = self._queue(stage)
            found.ahead = Others(queue.stages, queue.places[stage.key])
            found.overtakes = queue.beside
        else:
            self._beside(found, stage)
        if found.supply and self._is_queue(stage, found):
            from ddsrta.checker.deadline_servers import fresh

            found.own = fresh(found.supply)
        return found

    def _above(self, stage: Stage) -> Together:
        """All that is more urgent on its supply."""
        name, mine = self.supply_name(stage), self.place(stage).priority
        if (name, mine) not in self.above:
            beside = self.supplies[name]
            self.above[name, mine] = Together(o for o in beside if self.place(o).priority > mine)
        return self.above[name, mine]

    def _equals(self, stage: Stage) -> list[Stage]:
        """All that is as urgent there, and itself."""
        name, mine = self.supply_name(stage), self.place(stage).priority
        if (name, mine) not in self.equals:
            beside = self.supplies[name]
            self.equals[name, mine] = [o for o in beside if self.place(o).priority == mine]
        return self.equals[name, mine]

    def _is_queued(self, stage: Stage) -> bool:
        """Whether its thread serves all in the order in which it comes."""
        if self.place(stage).priority == FAIR:
            return False
        is_sample = stage.key[0] == "sample"
        return stage.kind == "listener" or (is_sample and self._policy(stage).in_order)

    def _queue(self, stage: Stage) -> Queue:
        """All that its thread serves."""
        thread = stage.kind, stage.runner
        if thread not in self.queues:
            self.queues[thread] = Queue.of(thread, self._equals(stage))
        return self.queues[thread]

    def _beside(self, found: Relations, stage: Stage) -> None:
        """What is as urgent, one by one."""
        is_fair, thread = self.place(stage).priority == FAIR, (stage.kind, stage.runner)
        later = not is_fair and self._may_open_later(stage)
        for other in self._equals(stage):
            if thread != (other.kind, other.runner):
                found.add("contends" if is_fair else "lingers" if later else "overtakes", other)
            elif other.key != stage.key and is_fair:
                found.add("overtakes", other)
            elif other.key != stage.key:
                self._same_thread(found, stage, other)

    def _is_queue(self, stage: Stage, found: Relations) -> bool:
        """Whether a thread of SCHED_DEADLINE does all that came before, and nothing else (lemma
        fresh-budgets)."""
        is_kept = (stage.kind, stage.runner) in self.budgets and stage.kind != "executor"
        return (
            is_kept and len(found.ahead) == self.peers(stage) - 1 and found.all() == [*found.ahead]
        )

    def is_pool(self, stage: Stage) -> bool:
        """Whether a stage runs in one of several threads, on several cores (lemma pool-window)."""
        return stage.kind == "executor" and self.system.executors[stage.runner].is_pool

    def cores(self, stage: Stage) -> tuple[str, ...]:
        """The cores of a stage that runs on one of several."""
        if self.is_pool(stage):
            return self.system.executors[stage.runner].cores
        return () if stage.kind == LINK else self.place(stage).cores

    def _shadows(self, stages: Mapping[Key, Stage]) -> dict[Key, tuple[Stage, int]]:
        """The shadows of what runs on several cores, put on each of them; of what is pinned to
        cores between which threads move, of which one core is as good as all; and how long before
        the end of its stage each arrives at the latest."""
        found: dict[Key, tuple[Stage, int]] = {}
        moving: set[str] = set()
        for stage in stages.values():
            cores = self.cores(stage)
            pinned = self.is_pool(stage) and not self.system.executors[stage.runner].moving
            last = stage.cost if pinned else EPSILON
            moving.update(() if self.is_pool(stage) else cores)
            if cores:
                found[stage.key] = shadow(stage), last
            for core in cores:
                self.supplies.setdefault((core, "whole"), []).append(found[stage.key][0])
        for stage in stages.values():
            if stage.kind != LINK and stage.key not in found and self.place(stage).core in moving:
                found[stage.key] = shadow(stage), EPSILON
        return found

    def _on_set(self, found: Relations, stage: Stage, cores: tuple[str, ...]) -> None:
        """What moves between the same cores, and is no less urgent, and of each core what is pinned
        to it and more urgent (lemma set-window)."""
        mine = self.place(stage).priority
        found.threads, found.moves = len(cores), True
        for other in self.as_urgent(stage):
            if other.key != stage.key:
                found.groups["moving", other.runner] = [other]
        for core in cores:
            pinned = (one for one in self.supplies[core, "whole"] if not self.cores(one))
            above = [self.shadows[one.key][0] for one in pinned if self.place(one).priority > mine]
            if above:
                found.groups["pinned", core] = above

    def _in_pool(self, found: Relations, stage: Stage) -> None:
        """What is more urgent on any of its cores, its own group, and all other callbacks."""
        executor = self.system.executors[stage.runner]
        groups = executor.groups or {}
        found.threads = executor.threads
        above: dict[Key, Stage] = {}
        for core in executor.cores:
            for other in self.supplies[core, "whole"]:
                theirs, own = self.place(other).priority, executor.place.priority
                is_other = (other.kind, other.runner) != (stage.kind, stage.runner)
                if theirs > own or (theirs == own == FAIR and is_other):
                    above[other.key] = other
        found.preempts = list(above.values())
        found.goes_on = (
            self.system.threads[stage.key[1]].entity == INLINE and executor.place.priority != FAIR
        )
        if found.goes_on:
            return
        fair = (one for one in above.values() if self.place(one).priority == FAIR)
        if executor.place.priority == FAIR and any(fair):  # these wait while a callback runs
            groups = dict.fromkeys(groups, "")
        mine = groups[stage.key[1]]
        found.overlaps = mine is None
        for other in self.supplies[self.supply_name(stage)]:
            group = groups[other.key[1]]
            if other.key == stage.key:
                continue
            if group is None:
                found.reentrant.append(other)
            elif group == mine:
                found.add("overtakes", other)
            else:
                found.groups.setdefault(("group", group), []).append(other)

    def _may_open_later(self, stage: Stage) -> bool:
        """Whether its windows may open while other threads of its priority have work."""
        if stage.kind == "executor":
            return self.executors[stage.runner].lets_linger
        return stage.key[0] == "sample" and self._policy(stage).lets_linger

    def _same_thread(self, found: Relations, stage: Stage, other: Stage) -> None:
        if stage.sent is not None and other.sent is not None:
            if other.sent.urgency == stage.sent.urgency:
                found.add("ahead", other)
            elif other.sent.urgency < stage.sent.urgency:  # between frames, too, where several
                found.add("preempts" if stage.sent.frames > 1 else "overtakes", other)
            return
        if stage.kind == "executor":
            how = self.executors[stage.runner].relation(stage.key[1], other.key[1])
            if how is not None:
                found.add(how, other)
            return
        ours, theirs = self._sender(stage), self._sender(other)
        self._policy(stage).relate(found, other, theirs, ours)

    def _sender(self, stage: Stage) -> Sender:
        """What its policy sees of a sample."""
        if stage.key not in self.senders:
            self.senders[stage.key] = self.system.sender(stage.key[1], stage.key[2])
        return self.senders[stage.key]

    def _policy(self, stage: Stage) -> Policy:
        return POLICIES[self._middleware(stage).policy]

    def _middleware(self, stage: Stage) -> Middleware:
        is_controller = stage.kind == "flow_controller"
        group = self.system.controllers if is_controller else self.system.listeners
        return group[stage.runner]

    def supply_name(self, stage: Stage) -> Key:
        """What a stage runs on."""
        thread = stage.kind, stage.runner
        if thread not in self.names:
            self.names[thread] = self._supply_name(stage)
        return self.names[thread]

    def _supply_name(self, stage: Stage) -> Key:
        place = self.place(stage)
        if stage.kind == LINK:
            return (LINK, stage.runner)
        if self.is_pool(stage):
            return ("pool", stage.runner, "")
        if place.cores:
            return ("set", *sorted(place.cores))
        if place.reservation:
            return (stage.kind, stage.runner)
        return (place.core, "whole" if place.partition is None else f"of {place.partition}")

    def supply(self, stage: Stage) -> tuple[Supply | None, tuple[Load, ...]]:
        """What a stage runs on, None for a whole core, and the reservations that come first."""
        place = self.place(stage)
        if stage.kind == LINK:
            return None, ()
        core = self.system.cores[place.core]
        if self.is_pool(stage):
            cores = self.system.executors[stage.runner].cores
            return None, tuple(load for core in cores for load in self.loads.get(core, ()))
        if place.reservation:
            own = self.budgets.get((stage.kind, stage.runner))
            return own or at_worst(place.reservation), ()
        supply = core.reservation if place.partition is None else core.partitions[place.partition]
        return at_worst(supply), tuple(self.loads.get(place.core, ()))


def _comes_at_once(stage: Stage) -> bool:
    """Whether it may come at the instant at which another unit begins, with all still to do."""
    return any(not edge.least for edge in stage.inputs)
