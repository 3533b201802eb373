"""What an analysis claims, in the order of a program's measures: bounds beside what runs saw."""

from __future__ import annotations

NOTHING = -1  # nothing is claimed of this measure
UNBOUNDED = -2  # the analysis says that there is no bound
FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")


def bounds_of(program, result) -> list[int]:
    """For each measure its bound, in ns or units; or NOTHING, or UNBOUNDED.

    The published end-to-end latency is the longest time from a release of the first thread to the
    completion of the last (its Definition 2): the latency of every event.
    """
    claims = dict(claims_of(result))
    if result.profile == "published":
        claims = {key: claim for key, claim in claims.items() if key[0] not in FIGURES}
        for chain in result.chains.values():
            claims["latency", chain.path] = chain.trigger_latency
    return [_number(claims, measure) for measure in program.measures]


def _number(claims, measure):
    claim = claims.get((measure.kind, measure.of), NOTHING)
    return UNBOUNDED if claim is None else int(claim)


def claims_of(result):
    """All bounds that a result claims, by what they are of."""
    for name, job in {**result.threads, **result.callbacks}.items():
        yield ("response", ("job", name)), job.wcrt
    for message in result.messages:
        stream = (message.publisher, message.topic, message.subscriber)
        yield ("ddl", stream), message.ddl
        yield ("response", ("message", *stream)), message.listener
        if message.mode == "async":
            yield ("response", ("sample", *stream[:2])), message.flow_controller
    yield from _figures(result)
    for name, sets in result.synchronizers.items():
        yield ("disparity", ("job", name)), sets.disparity
        yield ("gap", ("job", name)), sets.gap
        for topic, wait in sets.waits.items():
            yield ("wait", ("input", name, topic)), wait
    for name, queue in result.queues.items():
        reader, _, topic = name.partition(" < ")
        kind = "direct" if topic.endswith(", directly") else "reader"
        of = (kind, reader, topic.removesuffix(", directly"))
        yield ("pending", of if topic else name), queue.backlog
        for stream, backlog in queue.streams.items():
            parts = tuple(stream.split(" → "))
            kind = {2: "sample", 3: "message", 4: "transfer"}[len(parts)]
            kind = "frame" if name in result.links and kind == "sample" else kind
            yield ("pending", (kind, *parts)), backlog
    for link, found in result.links.items():
        for name, sent in found.messages.items():
            parts = name.split("/")
            stage = ("frame", link, name) if len(parts) == 1 else ("transfer", *parts, link)
            yield ("response", stage), sent.wcrt


def _figures(result):
    """Of chains over one path, each shows the figures that its constraint asks for."""
    found = {}
    for chain in result.chains.values():
        for kind in FIGURES:
            figure = getattr(chain, kind)
            if found.get((kind, chain.path)) is None:
                found[kind, chain.path] = figure
    for (kind, path), figure in found.items():
        yield (kind, path), figure


def kinds_of(program, system) -> list[str]:
    """For each measure the class that it is counted under."""
    modes = {(t.name, p.topic): p.mode for t in system.threads.values() for p in t.publishes}
    return [_kind(measure, system, modes) for measure in program.measures]


def _kind(measure, system, modes):
    kind, of = measure
    if kind == "ddl":
        mode = modes[of[:2]]
        return f"DDL {mode}" if mode == "sync" else f"DDL {policy_of(system, *of[:2])}"
    if kind == "response":
        kinds = {"job": "thread", "sample": "controller", "message": "listener"}
        return kinds.get(of[0], "link")
    if kind == "pending":
        return "queue"
    if kind in ("disparity", "gap", "wait"):
        return f"{kind} {system.threads[of[1]].synchronizer.policy}"
    return kind.replace("_", " ")


def policy_of(system, publisher, topic):
    """The policy of the flow controller that sends this publication."""
    (found,) = (p for p in system.threads[publisher].publishes if p.topic == topic)
    return system.flow_controllers[found.flow_controller].policy
