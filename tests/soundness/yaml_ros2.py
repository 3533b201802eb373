"""The executors, callbacks, services and processes of a System as parts of system.yaml."""

from __future__ import annotations

from ddsrta.models.arrivals import Periodic, Sporadic

ENTITIES = {"service": "serves", "client": "receives"}


def ros2_blocks(system, write):
    """The blocks; `write` has the writers of what threads have, too."""
    services = dict.fromkeys(name.rpartition("/")[0] for name in system.topics if "/" in name)
    callbacks = {
        thread.name: _callback(thread, system, write)
        for thread in system.threads.values()
        if thread.executor and "/" not in thread.name
    }
    return {
        "processes": {
            p.name: {"listener": p.listener, "intra_process": str(p.intra_process).lower()}
            | ({"intraprocess_delivery": said} if (said := p.intraprocess_delivery) else {})
            for p in system.processes.values()
        },
        "services": {name: _service(system, name) for name in services},
        "executors": {e.name: _executor(e, system, write) for e in system.executors.values()},
        "callbacks": callbacks,
    }


def _service(system, name):
    found = [system.topics.get(f"{name}/{part}") for part in ("request", "reply")]
    request, reply = (topic or next(filter(None, found)) for topic in found)  # one may be gone
    fields = {"request": f"{request.size}B", "reply": f"{reply.size}B"}
    history = {} if request.history is None else {"history": request.history}
    return {**fields, "priority": request.priority, **history}


def _executor(executor, system, write):
    fields = {**write.scheduling(executor), "kind": executor.kind}
    if executor.kind == "multi_threaded":
        fields["threads"] = executor.threads
    if executor.moves:
        fields["pinned"] = "false"
    if executor.order != "unknown":
        fields["order"] = executor.order
    fields |= write.given(release=executor.release, process=executor.process)
    background = system.threads.get(f"{executor.name}/background")
    if background:
        period = write.ns(background.arrival.distance)
        fields["background"] = {"wcet": write.ns(background.wcet), "period": period}
        more = [name for name in system.threads if name.startswith(f"{background.name}/")]
        fields["background"] |= {"services": 1 + len(more)} if more else {}
    return fields


def _callback(thread, system, write):
    fields = {"executor": thread.executor, "wcet": write.ns(thread.wcet)}
    if thread.bcet is not None:
        fields["bcet"] = write.ns(thread.bcet)
    executor = system.executors.get(thread.executor)
    if executor and executor.kind == "fixed_priority":
        fields["priority"] = thread.urgency
    if thread.reentrant:
        fields["reentrant"] = "true"
    fields |= write.given(group=thread.group)
    fields |= _released(thread, write)
    subscribes, follows = thread.subscribes, thread.follows
    if thread.entity == "inline":
        takes = [system.threads[n] for n in thread.follows.threads if n in system.threads]
        subscribes, follows = takes[0].subscribes, None
        topics = tuple(take.subscribes.topics[0] for take in takes)
        written = {**write.subscription(subscribes), "topics": topics, "activation": "and"}
        written |= write.synchronizer(thread)
        fields["subscribes"] = written
    elif thread.entity in ENTITIES:
        service = subscribes.topics[0].rpartition("/")[0]
        received = {k: v for k, v in write.subscription(subscribes).items() if k != "topics"}
        fields[ENTITIES[thread.entity]] = {"service": service, **received}
    elif subscribes:
        fields["subscribes"] = write.subscription(subscribes)
    if follows:
        activation = "and" if thread.arrival is None and thread.activation == "and" else None
        fields["follows"] = write.following(follows, activation)
    sent = _sent(thread, write)
    if "serves" in sent:
        sent["serves"] = {**fields["serves"], **sent["serves"]}
    return {**fields, **sent}


def _released(thread, write):
    if thread.arrival is None:
        return {}
    if thread.entity == "timer" and isinstance(thread.arrival, Periodic):
        rest = write.arrival(thread.arrival)
        timer = {"timer": rest.pop("period")}
        return {**timer, "arrival": rest} if rest else timer
    assert isinstance(thread.arrival, Periodic | Sporadic) or thread.entity != "timer"
    return {"arrival": write.arrival(thread.arrival)}


def _sent(thread, write):
    """What it publishes, what it calls, and how it replies."""
    publishes, calls, fields = [], [], {}
    for publication in thread.publishes:
        written = write.publication(publication)
        service, _, part = publication.topic.rpartition("/")
        if part == "reply" and service:
            written.pop("topic")
            fields["serves"] = {"reply": written} if written else {}
        elif service:
            calls.append({**written, "service": service, "topic": None})
        else:
            publishes.append(written)
    calls = [{k: v for k, v in call.items() if v is not None} for call in calls]
    fields |= {k: v for k, v in (("publishes", publishes), ("calls", calls)) if v}
    return fields
