"""Drafts a system from a trace: what was observed is a value with its count and range beside it.

The longest time of a run is no worst case, and the shortest no best case: each such value says that
it was observed, and how often, so that somebody decides what to put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.formats.draft import Draft, Mapping, Remark, Value, guessed, time_text
from ddsrta.formats.ros2_draft import CORE, MACHINE, Ros2Draft, own_name
from ddsrta.formats.ros2_trace.draft_values import arrivals, costs, publication, timer, unfit
from ddsrta.formats.ros2_trace.naming import HOUSEKEEPING
from ddsrta.formats.ros2_trace.observe import observe
from ddsrta.formats.ros2_trace.observed import (
    Observation,
    ObservedCallback,
    ObservedCircle,
    ObservedExecutor,
)
from ddsrta.formats.ros2_trace.paths import longest_paths
from ddsrta.ros2 import KINDS

_MOST_CHAINS = 20
# Every node has these, for its parameters and its type description.
_OWN_SERVICES = (
    "get_parameters", "get_parameter_types", "set_parameters", "set_parameters_atomically",
    "describe_parameters", "list_parameters", "get_type_description",
)  # fmt: skip
_LARGEST_HISTORY = 1_000_000
_SHARED = "the trace names no executors; these callbacks were run by the same threads"
_ONE = (
    "the trace names no executors; these callbacks were run by the same thread, which may be the "
    "only one of a multi_threaded executor that had a turn"
)
_ANY = (
    "neither single_threaded nor multi_threaded, which write rclcpp_executor_wait_for_work: "
    "static, of events, or another; this kind takes callbacks in any order"
)
_TAKING = (
    "Execution times are those from start to end of a callback: add to them, or as 'take', what "
    "the executor does to find it and to take its message."
)


def read(paths: Sequence[str]) -> Draft:
    """The draft of a system from the folder of its trace; raises InputError."""
    if len(paths) != 1:
        message = f"{len(paths)} traces at once"
        raise InputError([Diagnostic(None, message, "import them one by one")])
    return draft_of(observe(paths[0]), Path(paths[0]).name or "trace")


def draft_of(seen: Observation, name: str) -> Draft:
    """The draft of a system that was observed."""
    drafted = Ros2Draft(name[:100], f"the trace {name}")
    seconds = time_text(seen.duration)
    drafted.draft.head.append(
        f"It lasted {seconds}: what was observed is neither a worst nor a best case."
    )
    drafted.draft.head.append(_TAKING)
    drafted.draft.head += [f"Note: {note}." for note in seen.notes]
    modelled = {one.name: one for one in seen.callbacks.values() if _is_modelled(one)}
    _refuse(seen, modelled, name)
    used = {one.executor for one in modelled.values()}
    for executor in seen.executors:
        if executor.name in used:
            _executor(executor, modelled, drafted, alone=len(used) == 1)
    for callback in modelled.values():
        _callback(callback, seen, drafted)
    _histories(modelled, drafted)
    _circles(seen, drafted)
    for topic in seen.published_outside:
        if any(one.topic == topic for one in modelled.values()) and topic in drafted.published:
            drafted.begun[topic] = None
    _leave_out(seen, modelled, drafted.draft)
    draft = drafted.finish()
    _stand_ins(seen, modelled, draft)
    for topic in drafted.begun:
        _begin(topic, seen, draft)
    _chains(seen, modelled, drafted)
    return draft


def _refuse(seen: Observation, modelled: dict[str, ObservedCallback], name: str) -> None:
    """Without callbacks there is no system; with time that goes backwards, no latency."""
    if not modelled:
        message = f"{name}: no callback of a timer, subscription or called service in this trace"
        advice = "begin to trace before the nodes start, with the events of rclcpp"
        raise InputError([Diagnostic(None, message, advice)])
    if seen.backwards:
        message = (
            f"{name}: {seen.backwards} messages were taken before they were published: "
            "its clocks are apart"
        )
        raise InputError([Diagnostic(None, message, "import the trace of one host")])


def _is_modelled(callback: ObservedCallback) -> bool:
    """Timers, and what is not every node's own of subscriptions and of called services."""
    if callback.kind == "service":
        own = (callback.topic or "").rpartition("/")[2] in _OWN_SERVICES
        return bool(callback.topic and callback.durations.count and not own)
    return callback.kind == "timer" or (
        callback.kind == "subscription" and callback.topic not in (None, HOUSEKEEPING)
    )


def _executor(
    executor: ObservedExecutor,
    modelled: dict[str, ObservedCallback],
    drafted: Ros2Draft,
    alone: bool,
) -> None:
    kind: Value = executor.kind
    if executor.guessed:
        kind = guessed(executor.kind, _why(executor))
    drafted.executor(executor.name, kind)
    entry = drafted.draft.section("executors")[executor.name]
    assert isinstance(entry, dict)
    mine = [one for one in modelled.values() if one.executor == executor.name]
    cpus = sorted(set().union(*(one.cpus for one in mine)))
    several = KINDS[executor.kind].several_threads
    why = f"its callbacks ran on cpu {', '.join(map(str, cpus))}"
    if alone and several and 2 <= executor.threads <= len(cpus):
        drafted.move(executor.name, [f"c{cpu}" for cpu in cpus], why)
    elif cpus:
        entry["core"] = guessed(f"{MACHINE}/{CORE}", why)
    if several:
        comment = f"observed: {executor.threads} threads ran callbacks, it may have more"
        entry["threads"] = Remark(min(1024, max(1, executor.threads)), comment)


def _why(executor: ObservedExecutor) -> str:
    """Why a guessed executor has its kind."""
    if executor.threads != 1:
        return _SHARED
    return _ONE if executor.kind == "single_threaded" else _ANY


def _callback(callback: ObservedCallback, seen: Observation, drafted: Ros2Draft) -> None:
    listener = ""
    if callback.kind != "timer":
        process = seen.processes.get(callback.process) or "process"
        why = "one for each process that reads"
        listener = drafted.listener(f"{process} {callback.process} listener", why)
    more = _group(callback, seen)
    if callback.kind == "service" and callback.topic:
        more = {**drafted.serve(own_name(callback.topic), listener), **more}
    name = own_name(callback.name)
    drafted.callback(
        name,
        callback.executor or "executor",
        timer=callback.period if callback.period else None,
        topic=callback.topic if callback.kind == "subscription" else None,
        listener=listener,
        more=more,
    )
    entry = drafted.draft.section("callbacks")[name]
    assert isinstance(entry, dict)
    entry |= costs(callback)
    if callback.kind == "timer":
        entry["timer"] = timer(callback)
    if callback.kind == "subscription" and callback.gaps.count:
        entry["subscribes"] = _with(entry["subscribes"], arrivals(callback, seen))
    published = [one for one in callback.publishes if one.topic != HOUSEKEEPING]
    if published:
        entry["publishes"] = [publication(one, callback, seen, drafted) for one in published]


def _group(callback: ObservedCallback, seen: Observation) -> Mapping:
    """What its callback group says of a callback."""
    for executor in seen.executors:
        for group in executor.groups:
            if group.name == callback.group:
                if group.kind == "reentrant":
                    return {"reentrant": True}
                return {"group": group.name}
        if executor.name == callback.executor and KINDS[executor.kind].several_threads:
            why = "the trace names no groups; by default rclcpp has one for each node"
            return {"group": guessed(callback.node, why)}
    return {}


def _with(value: Value, comment: str) -> Value:
    return Remark(value.value if isinstance(value, Remark) else value, comment)


def _histories(modelled: dict[str, ObservedCallback], drafted: Ros2Draft) -> None:
    """The history of a topic is the least that one of its readers keeps."""
    depths: dict[str, set[int]] = {}
    for one in modelled.values():
        if one.topic and one.queue_depth and one.queue_depth <= _LARGEST_HISTORY:
            depths.setdefault(one.topic, set()).add(one.queue_depth)
    for topic, found in depths.items():
        drafted.topic(topic).history = min(found)
        if len(found) > 1:
            drafted.topic(topic).history_why = "the least of its readers'"


def _circles(seen: Observation, drafted: Ros2Draft) -> None:
    """What no callback was seen to begin has a stand-in that does; and circles without `rounds`."""
    for circle in seen.circles:
        way = " → ".join((*circle.callbacks, circle.callbacks[0]))
        if why := unfit(circle):
            drafted.draft.leave_out(f"'rounds' of the circle {way}: {why}")
        elif not _entered(circle, seen):
            drafted.begun[circle.topic] = None
    for name, one, other in seen.disordered:
        drafted.draft.leave_out(
            f"{name} published on {one} and {other} in no fixed order: the bounds take the one here"
        )


def _entered(circle: ObservedCircle, seen: Observation) -> bool:
    """Whether a callback outside of a circle releases its first one."""
    writers = [one for one in seen.callbacks.values() if one.name not in circle.callbacks]
    return any(circle.topic == sent.topic for one in writers for sent in one.publishes)


def _leave_out(seen: Observation, modelled: dict[str, ObservedCallback], draft: Draft) -> None:
    if not any(one.durations.count or one.longest_unfinished for one in modelled.values()):
        draft.leave_out("all execution times: no callback ran in this trace, each is a placeholder")
    rest = [one for one in seen.callbacks.values() if one.name not in modelled]
    runs = sum(one.durations.count for one in rest)
    if runs:
        longest = max(one.durations.most or 0 for one in rest)
        draft.leave_out(
            f"parameter services, {HOUSEKEEPING}, callbacks of unknown origin: they ran {runs} "
            f"times, for at most {time_text(longest)}; their work is missing in the bounds"
        )
    told = {(modelled[n].node, p.topic) for n in modelled for p in modelled[n].publishes}
    sent = {topic for _, topic in told}  # others have a stand-in
    for topic, count in sorted(seen.unknown.items()):
        if topic in sent and any(one.topic == topic for one in modelled.values()):
            draft.leave_out(
                f"who sent {count} messages on {topic} that were taken: not in this trace, so what "
                "they release may be missing in the bounds"
            )
    for node in seen.nodes:
        for topic in node.publishes:
            if (node.name, topic) not in told and topic not in (HOUSEKEEPING, "/rosout"):
                draft.leave_out(
                    f"{node.name} can publish on {topic}: no callback of it did in this trace"
                )


def _stand_ins(seen: Observation, modelled: dict[str, ObservedCallback], draft: Draft) -> None:
    """Whoever publishes or calls from outside does so as often as one of its readers started, or as
    was seen."""
    for section, name in (("threads", "source of {}"), ("callbacks", "caller of {}")):
        found: dict[str, tuple[int, str]] = {}
        for one in modelled.values():
            topic = one.topic or ""
            own = name.format(topic if section == "threads" else own_name(topic))
            why = f"the least of {one.gaps.count} gaps between starts of {one.name}"
            gaps = [(one.gaps.least, why)] if one.gaps.least else []
            if section == "threads" and (apart := seen.outside_apart.get(topic)) is not None:
                gaps.append((max(1, apart), "the least time between two that were published"))
            if gaps:
                found[own] = min([*gaps, *([found[own]] if own in found else [])])
        for own, (least, why) in found.items():
            entry = draft.sections.get(section, {})
            source = entry.get(own) if isinstance(entry, dict) else None
            if isinstance(source, dict):
                _come_no_sooner(source, least, why)


def _come_no_sooner(source: Mapping, least: int, why: str) -> None:
    """Nothing tells that the next one always comes so soon: no age of data may rest on it."""
    source["arrival"] = guessed({"sporadic": time_text(least)}, why)


def _begin(topic: str, seen: Observation, draft: Draft) -> None:
    """Whoever begins what goes round does so as often as messages from outside were seen."""
    count, least = seen.published_outside.get(topic, 0), seen.outside_apart.get(topic)
    why = f"{count} messages that no callback published"
    why += ", the least time between two" if least else ""
    source = draft.section("threads")[f"source of {topic}"]
    assert isinstance(source, dict)
    _come_no_sooner(source, max(1, least or seen.duration), why)


def _chains(seen: Observation, modelled: dict[str, ObservedCallback], drafted: Ros2Draft) -> None:
    first = [circle.callbacks[0] for circle in seen.circles]
    paths, cut = longest_paths(modelled, _MOST_CHAINS, first)
    stand_ins = drafted.draft.section("threads") if "threads" in drafted.draft.sections else {}
    for path in paths:
        topic = modelled[path[0]].topic or ""
        source = f"source of {topic}"
        # Callbacks and topics take turns; the names of topics stay as they are.
        whole = [step if place % 2 else own_name(step) for place, step in enumerate(path)]
        if source in stand_ins:
            whole = [source, topic, *whole]
        if len(whole) > 1:
            number = len(drafted.draft.section("chains")) + 1
            drafted.chain(f"path {number}", whole)
    if cut:
        drafted.draft.leave_out(f"chains: only the {_MOST_CHAINS} longest paths of more are here")
