"""Reads the document of a system, trusting nothing in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ddsrta.checker import places
from ddsrta.checker.arrivals import read_arrival
from ddsrta.checker.places import (
    LEAST_PRIORITY,
    OF_FAIR,
    PLACE,
    bracket,
    cost,
    is_loose,
    place,
    priorities,
)
from ddsrta.checker.policies import PRIORITY_KEYS, PUBLICATION_KEYS, TOPIC_KEYS
from ddsrta.checker.reading import (
    CertificateError,
    array,
    integer,
    mapping,
    names,
    one_of,
    optional_integer,
    optional_word,
    record,
    shown,
    text,
    truth,
)
from ddsrta.checker.things import (
    RELEASES,
    Chain,
    Copies,
    Cost,
    FastDds,
    Order,
    Place,
    Publication,
    Synchronizer,
    System,
    Thread,
)

_SYSTEM = ("name", "cores", "links", "delays", "topics", "flow_controllers", "listeners",
           "executors", "processes", "threads", "chains")  # fmt: skip
_THREAD = (*PLACE, "wcet", "bcet", "arrival", "publishes", "subscribes", "follows", "activation",
           "process", "executor", "entity", "urgency")  # fmt: skip
_ENTITIES = ("timer", "subscription", "service", "client", "waitable", "inline")
_PUBLICATION = ("topic", "mode", "flow_controller", "count", "cost", "earliest")
_MATCHING = ("exact_time", "approximate_time", "latest", "mtd")
_CHAIN = ("path", "ends", "deadline", "constraint", "limit")
_CONSTRAINTS = ("latency", "trigger_latency", "data_age", "reaction_time")
_ORDERS = ("connection", "priority")
_PAIR = 2
_QUEUED = ("topics", "flow_controllers", "listeners", "threads", "executors")
_READER = " < "  # between a reader and a topic, in the name of a queue
_PARTLY = ("jobs", "one_of", "min_separation", "rounds")


def read_system(value: object) -> System:
    """The system of a document; its references are not looked at yet."""
    raw = record(value, "system", _SYSTEM, ("middleware", "orders", "media"))
    text(raw["name"], "system.name")
    topics = _each(raw, "topics", _topic)
    threads = _each(raw, "threads", _thread)
    tables = ("flow_controller", "listener", "publisher", "take")
    delays = record(raw["delays"], "delays", tables, ("placeholder",))
    readers: dict[str, list[str]] = {}
    writers: dict[str, list[str]] = {}
    for name, thread in threads.items():
        for topic in thread.topics:
            readers.setdefault(topic, []).append(name)
        for topic in thread.publishes:
            writers.setdefault(topic, []).append(name)
    return System(
        cores=_each(raw, "cores", places.core),
        links=places.links(raw["links"]),
        media=places.media(raw["media"]) if "media" in raw else {},
        routes=places.routes(raw["links"]),
        classes={name: topic.classes for name, topic in topics.items() if topic.classes},
        loose=places.loose(raw["links"]),
        delays={table: places.table(delays[table], f"delays.{table}") for table in tables},
        sizes={name: topic.size for name, topic in topics.items()},
        urgency={name: topic.priority for name, topic in topics.items()},
        said={name: topic.said for name, topic in topics.items() if topic.said},
        copies={name: topic.copies for name, topic in topics.items() if topic.copies},
        histories={name: t.history for name, t in topics.items() if t.history is not None},
        controllers=_each(raw, "flow_controllers", places.middleware),
        listeners=_each(raw, "listeners", places.middleware),
        executors=_each(raw, "executors", places.executor),
        processes=_each(raw, "processes", places.process),
        threads=threads,
        chains=_each(raw, "chains", _chain),
        readers={topic: tuple(found) for topic, found in readers.items()},
        writers={topic: tuple(found) for topic, found in writers.items()},
        fastdds=_fastdds(raw.get("middleware")),
        orders=_each({"orders": {}, **raw}, "orders", _order),
        placeholder=truth(delays.get("placeholder", False), "delays.placeholder"),
    )


def _fastdds(value: object) -> FastDds | None:
    if value is None:
        return None
    raw = record(value, "middleware", ("fastdds", "write"), ("send_buffers",))
    version = one_of(raw["fastdds"], "middleware.fastdds", RELEASES)
    buffers = one_of(raw.get("send_buffers", "fixed"), "send_buffers", ("fixed", "dynamic"))
    write = optional_integer(raw["write"], "middleware.write", 1)
    return FastDds(version, write, buffers == "dynamic")


def _each(raw: dict[str, Any], kind: str, read: Any) -> dict[str, Any]:
    things = mapping(raw[kind], kind)
    if kind in _QUEUED and (bad := next((n for n in things if _READER in n), None)) is not None:
        raise CertificateError(f"{kind}: {shown(bad)} may be taken for the history of a reader")
    return {name: read(thing, f"{kind}.{shown(name)}") for name, thing in things.items()}


class _Topic(NamedTuple):
    """What is said of a topic."""

    size: int
    priority: int
    copies: Copies | None
    history: int | None
    said: Mapping[str, int] = {}  # by keys of policies
    classes: Mapping[str, int] = {}  # on links


def _topic(value: object, where: str) -> _Topic:
    optional = ("copies", "readers", *TOPIC_KEYS, *PRIORITY_KEYS)
    raw = record(value, where, ("size", "priority", "history"), optional)
    history = optional_integer(raw["history"], f"{where}.history")
    priority = integer(raw["priority"], f"{where}.priority", LEAST_PRIORITY)
    said = {
        key: integer(raw[key], f"{where}.{key}", least)
        for key, least in TOPIC_KEYS.items()
        if key in raw
    }
    size = integer(raw["size"], f"{where}.size")
    classes = priorities(raw, where)
    if classes.get("pcp") == 0:
        del classes["pcp"]  # as without a word
    return _Topic(size, priority, _copies(raw, where), history, said, classes)


def _copies(raw: dict[str, Any], where: str) -> Copies | None:
    if "copies" not in raw and "readers" not in raw:
        return None
    record(raw, where, ("copies", "readers"), raw)
    order = one_of(raw["copies"], f"{where}.copies", _ORDERS)
    return Copies(order, names(raw["readers"], f"{where}.readers"))


def _thread(value: object, where: str) -> Thread:
    raw = record(value, where, _THREAD, ("synchronize", "cores", "datagrams", *OF_FAIR))
    wcet = integer(raw["wcet"], f"{where}.wcet")
    bcet = optional_integer(raw["bcet"], f"{where}.bcet")
    if bcet is not None and bcet > wcet:
        raise CertificateError(f"{where}: the bcet is above the wcet")
    activation = one_of(raw["activation"], f"{where}.activation", ("or", "and"))
    topics, listener, listening, take, order = _subscribes(raw["subscribes"], f"{where}.subscribes")
    follows, delay, among = _follows(raw["follows"], f"{where}.follows")
    arrival = raw["arrival"]
    return Thread(
        _place(raw, where),
        wcet,
        1 if bcet is None else bcet,
        None if arrival is None else read_arrival(arrival, f"{where}.arrival"),
        _publishes(raw["publishes"], f"{where}.publishes", max(wcet, 1)),
        topics,
        listener,
        listening,
        follows,
        delay,
        activation == "and",
        take,
        optional_word(raw["process"], f"{where}.process"),
        optional_word(raw["executor"], f"{where}.executor"),
        optional_word(raw["entity"], f"{where}.entity", _ENTITIES),
        integer(raw["urgency"], f"{where}.urgency", LEAST_PRIORITY),
        _synchronizer(raw["synchronize"], where) if "synchronize" in raw else None,
        bool(follows) and is_loose(mapping(raw["follows"], where), f"{where}.follows"),
        integer(raw["datagrams"], f"{where}.datagrams", 1) if "datagrams" in raw else 0,
        order if topics else among,
    )


def _place(raw: dict[str, Any], where: str) -> Place:
    """Where a thread runs, which may move between cores."""
    cores = names(raw["cores"], f"{where}.cores") if "cores" in raw else ()
    if cores and "nice" in raw:
        raise CertificateError(f"{where}: a thread of SCHED_OTHER is pinned")
    return place(raw, where)._replace(cores=cores)


def _synchronizer(value: object, where: str) -> Synchronizer:
    raw = record(value, f"{where}.synchronize", ("policy", "queue"))
    queue = raw["queue"]
    return Synchronizer(
        one_of(raw["policy"], f"{where}.synchronize.policy", _MATCHING),
        None if queue is None else integer(queue, f"{where}.synchronize.queue", 1),
    )


def _publishes(value: object, where: str, wcet: int) -> dict[str, Publication]:
    found: dict[str, Publication] = {}
    for index, item in enumerate(array(value, where)):
        here = f"{where}.{index}"
        known = (*_PARTLY, "reserved", *PUBLICATION_KEYS, *PRIORITY_KEYS)
        raw = record(item, here, _PUBLICATION, known)
        mode = one_of(raw["mode"], f"{here}.mode", ("sync", "async"))
        controller = optional_word(raw["flow_controller"], f"{here}.flow_controller")
        clashes = mode == "sync" and controller is not None
        if mode == "async":
            controller = text(controller, f"{here}.flow_controller")
        topic = text(raw["topic"], f"{here}.topic")
        if topic in found:
            raise CertificateError(f"{here}: {shown(topic)} is published twice")
        earliest = integer(raw["earliest"], f"{here}.earliest")
        if earliest > wcet:
            raise CertificateError(f"{here}: 'earliest' exceeds the wcet")
        count = integer(raw["count"], f"{here}.count", 1)
        spent = cost(raw["cost"], f"{here}.cost")
        reserved = integer(raw.get("reserved", 0), f"{here}.reserved")
        said = {k: integer(raw[k], f"{here}.{k}", 1) for k in PUBLICATION_KEYS if k in raw}
        used = None if clashes else controller
        classes = priorities(raw, here)
        found[topic] = Publication(
            topic, used, count, spent, earliest, reserved, clashes, said, classes,
            _part(raw["jobs"], f"{here}.jobs") if "jobs" in raw else None,
            text(raw["one_of"], f"{here}.one_of") if "one_of" in raw else None,
            _apart(raw["min_separation"], here, count) if "min_separation" in raw else None,
            integer(raw["rounds"], f"{here}.rounds", 1) if "rounds" in raw else None,
        )  # fmt: skip
    return found


def _part(value: object, where: str) -> tuple[int, int]:
    """So many of so many jobs."""
    numbers = [integer(each, where, 1) for each in array(value, where)]
    if len(numbers) != _PAIR or numbers[0] > numbers[1]:
        raise CertificateError(f"{where}: expected so many of so many jobs")
    return numbers[0], numbers[1]


def _apart(value: object, where: str, count: int) -> int:
    if count > 1:
        raise CertificateError(f"{where}: several messages of a job leave together")
    return integer(value, f"{where}.min_separation", 1)


def _subscribes(
    value: object, where: str
) -> tuple[tuple[str, ...], str | None, Cost | None, Cost | None, str | None]:
    if value is None:
        return (), None, None, None, None
    raw = record(value, where, ("topics", "listener", "cost", "take"), ("order",))
    topics = names(raw["topics"], f"{where}.topics")
    if len(set(topics)) < len(topics):
        raise CertificateError(f"{where}: a topic is listed twice")
    listener = text(raw["listener"], f"{where}.listener")
    take = cost(raw["take"], f"{where}.take")
    return topics, listener, cost(raw["cost"], f"{where}.cost"), take, _taken_in(raw, where)


def _follows(value: object, where: str) -> tuple[tuple[str, ...], Cost, str | None]:
    if value is None:
        return (), Cost(0, 0), None
    raw = record(value, where, ("threads", "delay", "best"), ("ordered", "order"))
    threads = names(raw["threads"], f"{where}.threads")
    if len(set(threads)) < len(threads):
        raise CertificateError(f"{where}: a thread is listed twice")
    return threads, bracket(raw["delay"], raw["best"], where), _taken_in(raw, where)


def _taken_in(raw: dict[str, Any], where: str) -> str | None:
    return one_of(raw["order"], f"{where}.order", ("arrival", "any")) if "order" in raw else None


def _chain(value: object, where: str) -> Chain:
    raw = record(value, where, _CHAIN)
    path = names(raw["path"], f"{where}.path")
    ends = None if raw["ends"] is None else names(raw["ends"], f"{where}.ends")
    deadline = optional_integer(raw["deadline"], f"{where}.deadline")
    constraint = one_of(raw["constraint"], f"{where}.constraint", _CONSTRAINTS)
    limit = integer(raw["limit"], f"{where}.limit", 1)
    if ends is None:
        if not path:
            raise CertificateError(f"{where}: the path is empty")
        return Chain(path, None, limit, deadline, constraint)
    if len(ends) != 2:
        raise CertificateError(f"{where}: 'ends' are two threads")
    return Chain(path, (ends[0], ends[1]), limit, deadline, constraint)


def _order(value: object, where: str) -> Order:
    raw = record(value, where, ("subscriber", "topics", "from", "events"))
    topics = names(raw["topics"], f"{where}.topics")
    if len(set(topics)) < max(2, len(topics)):
        raise CertificateError(f"{where}.topics: two or more different ones are needed")
    return Order(
        text(raw["subscriber"], f"{where}.subscriber"),
        topics,
        optional_word(raw["from"], f"{where}.from"),
        one_of(raw["events"], f"{where}.events", ("each", "all")),
    )
