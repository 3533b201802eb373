"""What the result of an analysis may say, given a certificate that was confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ddsrta.checker.check import Read
from ddsrta.checker.executors import INLINE
from ddsrta.checker.judged import VERDICTS, chain_of, judged, reached
from ddsrta.checker.leaves import TEXT, Named, at_least, at_most, includes, met, no_better, same
from ddsrta.checker.outcome import Outcome
from ddsrta.checker.paths import hops, segments
from ddsrta.checker.stages import Key
from ddsrta.checker.words import message_name

_FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")


def said(evidence: dict[str, Any], read: Read, outcome: Outcome) -> dict[str, Any]:
    """All of it but for messages of findings and assumptions; messages by their names."""
    return _Said(evidence, read).all(outcome)


class _Said:
    """The claims of a certificate, by the names that a result has for them."""

    def __init__(self, evidence: dict[str, Any], read: Read) -> None:
        self.evidence = evidence
        self.document = evidence["system"]
        self.system, self.stages = read
        self.responses: dict[Key, int | None] = {
            tuple(one["stage"]): one["response"] for one in evidence["stages"]
        }
        self.callbacks = evidence.get("callbacks", {})

    def all(self, outcome: Outcome) -> dict[str, Any]:
        """The whole."""
        orders = self.evidence.get("orders", {})
        return {
            "ddsrta": same(1),
            "system": same(self.document["name"]),
            "profile": same(self.evidence["profile"]),
            "verdict": no_better(reached(outcome), VERDICTS),
            "threads": Named(dict(self.threads())),
            "callbacks": Named(dict(self.served())),
            "messages": Named(dict(self.messages())),
            "chains": Named({name: self.chain(name) for name in self.evidence["chains"]}),
            "orders": Named({name: self.order(name) for name in orders}),
            "synchronizers": Named(
                {name: self.sets(name) for name in self.evidence.get("synchronizers", {})}
            ),
            "cores": Named(
                {
                    name: {"utilization": at_least(core["utilization"])}
                    for name, core in self.evidence.get("cores", {}).items()
                }
            ),
            **({"links": Named(dict(self.links()))} if self.system.media else {}),
            "queues": Named({name: self.queue(name) for name in self.evidence.get("queues", {})}),
        }

    def response(self, name: str) -> int | None:
        """Of a job; where it waits for several topics, from the arrival of the last."""
        thread = self.system.threads[name]
        return self.callbacks[name] if thread.entity == INLINE else self.responses["job", name]

    def threads(self) -> Iterator[tuple[str, Any]]:
        for name, thread in self.system.threads.items():
            if thread.executor is None:
                yield (
                    name,
                    {
                        "wcrt": at_least(self.response(name)),
                        "core": same(", ".join(thread.place.cores) or thread.place.core),
                        "unbounded_because": TEXT,
                    },
                )

    def served(self) -> Iterator[tuple[str, Any]]:
        for name, thread in self.system.threads.items():
            if thread.executor is None:
                continue
            cores = self.system.executors[thread.executor].cores
            yield (
                name,
                {
                    "wcrt": at_least(self.response(name)),
                    "executor": same(thread.executor),
                    "core": same(", ".join(cores) or thread.place.core),
                    "by": TEXT,
                    "unbounded_because": TEXT,
                },
            )

    def messages(self) -> Iterator[tuple[str, Any]]:
        for one in self.evidence["messages"]:
            publisher, topic, subscriber = (one[k] for k in ("publisher", "topic", "subscriber"))
            key: Key = ("message", publisher, topic, subscriber)
            first = self.stages[key].inputs[0]
            begin = first.source
            if begin[0] == "transfer":
                begin = self.stages[begin].inputs[0].source
            waits = begin[0] == "sample"
            yield (
                message_name(key[1:]),
                {
                    "publisher": same(publisher),
                    "topic": same(topic),
                    "subscriber": same(subscriber),
                    "mode": same("async" if waits else "sync"),
                    "ddl": at_least(one["ddl"]),
                    "sent": at_least(one.get("sent")),
                    "publisher_wcrt": same(None) if waits else at_least(self.response(publisher)),
                    "flow_controller": at_least(self.responses[begin]) if waits else same(None),
                    "network": same(first.link)
                    if first.source[0] != "transfer"
                    else self.sent(first.source, first.extra),
                    "listener": at_least(self.responses[key]),
                    "unbounded_because": TEXT,
                },
            )

    def sent(self, key: Key, more: int) -> Any:
        """How long a message takes over a shared link, and so much longer."""
        response = self.responses[key]
        return at_least(None if response is None else response + more)

    def links(self) -> Iterator[tuple[str, Any]]:
        """Shared links, and what they send; frames have names of their own."""
        for name, link in self.system.media.items():
            found = {}
            for key, stage in self.stages.items():
                if stage.sent is not None and stage.runner == name:
                    called = key[2] if key[0] == "frame" else "/".join(key[1:4])
                    found[called] = {
                        "wcrt": self.sent(key, -stage.sent.early),
                        "transmission": same(stage.cost),
                        "unbounded_because": TEXT,
                    }
            load = self.evidence.get("links", {}).get(name, {}).get("utilization")
            yield (
                name,
                {
                    "kind": same(link.kind),
                    "utilization": at_least(load),
                    "messages": Named(found),
                },
            )

    def chain(self, name: str) -> Any:
        claim, chain = self.evidence["chains"][name], chain_of(self.system, name)
        assert chain is not None
        is_met, slack = judged(claim[chain.constraint], chain.deadline)
        path = tuple(claim["path"])
        parts = segments(self.system, path[0], hops(self.system, path, name))
        stages = [key for part in parts for key in part.stages]
        claimed = self.evidence.get("hops", {}).get(name)
        return {
            **{figure: at_least(claim[figure]) for figure in _FIGURES},
            "data_latency": at_least(claim["latency"]),
            "constraint": same(chain.constraint),
            "deadline": same(chain.deadline),
            "met": met(is_met),
            "slack": at_most(slack),
            "path": [same(each) for each in claim["path"]],
            "label": TEXT,
            "hops": [
                {
                    "stage": same(self.called(key)),
                    "where": same(self.place(key)),
                    "response": at_least(hop["response"]),
                    "latency": at_least(hop["latency"]),
                }
                for key, hop in zip(stages, claimed, strict=True)
            ]
            if claimed is not None
            else [],
            "unbounded_because": TEXT,
        }

    def called(self, key: Key) -> str:
        """A stage in words."""
        if key[0] == "job":
            return f"{'callback' if self.system.threads[key[1]].executor else 'thread'} {key[1]}"
        if key[0] == "sample":
            return f"topic '{key[2]}' of {key[1]}"
        if key[0] == "frame":
            return f"frame {key[2]}"
        return f"message '{key[2]}' from {key[1]} to {key[3]}"

    def place(self, key: Key) -> str:
        """The core of a stage, or cores; and the thread of the middleware that it is in."""
        if key[0] == "job":
            thread = self.system.threads[key[1]]
            pool = self.system.executors[thread.executor].cores if thread.executor else ()
            return ", ".join(pool or thread.place.cores) or thread.place.core
        runner = self.stages[key].runner
        if self.stages[key].sent is not None:
            return f"link {runner}"
        middleware = self.system.controllers if key[0] == "sample" else self.system.listeners
        return f"{runner} on {middleware[runner].place.core}"

    def sets(self, name: str) -> Any:
        claim = self.evidence["synchronizers"][name]
        synchronizer = self.system.threads[name].synchronizer
        assert synchronizer is not None
        return {
            "policy": same(synchronizer.policy),
            "disparity": at_least(claim["disparity"]),
            "waits": Named({topic: at_least(wait) for topic, wait in claim["waits"].items()}),
            "period": at_most(claim.get("period")),
            "gap": at_least(claim["gap"]),
            "needed": at_least(claim.get("needed")),
            "queue": same(synchronizer.queue),
            "unbounded_because": TEXT,
        }

    def queue(self, name: str) -> Any:
        claim = self.evidence["queues"][name]
        capacity = None
        for kind in ("flow_controllers", "listeners"):
            if name in self.document[kind]:
                capacity = self.document[kind][name]["queue"]
        if not claim["streams"] and name not in self.system.media:  # the history of a reader
            topic = name.rpartition(" < ")[2].removesuffix(", directly")
            capacity = self.document["topics"][topic]["history"]
        return {
            "backlog": at_least(claim["backlog"]),
            "capacity": same(capacity),
            "streams": Named({key: at_least(most) for key, most in claim["streams"].items()}),
            "unbounded_because": TEXT,
        }

    def order(self, name: str) -> Any:
        claim, wanted = self.evidence["orders"][name], self.document["orders"][name]
        return {
            "subscriber": same(wanted["subscriber"]),
            "topics": [same(topic) for topic in wanted["topics"]],
            "events": same(wanted["events"]),
            "met": met(claim["met"]),
            "possible": Named(
                {origin: includes(orders) for origin, orders in claim["possible"].items()}
            ),
            "violations": includes(claim["violations"]),
        }
