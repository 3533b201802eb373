"""A circle of messages beside other threads: two drawn systems as one, on machines of their own, or
on the same cores and with messages from one to the other."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import yaml

import ddsrta
from ddsrta.models.system import System
from tests.soundness.draw import drawn
from tests.soundness.rounds import rounds_data
from tests.soundness.yaml_text import to_yaml

KINDS = "small", "any", "chains", "shared", "timers", "synchronized", "ros2", "pools", "focused"
HEADER = {"ddsrta", "name", "delays", "network"}
SLOWER = 3  # it is
STEP = 7  # between priorities of the other system


def halves(seed: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """A circle, another system, and both on machines of their own; what all threads take to send
    and receive is the same in all."""
    circle, other = renamed(rounds_data(seed), "r_"), renamed(other_data(seed), "o_")
    if "delays" in other:
        circle["delays"] = other["delays"]
    return circle, other, united(circle, other)


def beside_system(seed: int) -> System:
    """A circle on the cores of another system; some threads of that send into it, or hear of it."""
    random = Random(f"beside {seed}")
    other = rarer(urgent(renamed(other_data(seed), "o_")))
    circle = moved(renamed(rounds_data(seed), "r_"), other, random)
    data = united(circle, other)
    for link in _into, _behind, _either, _reserved, _in_order:
        if random.random() < 0.5:
            link(data, random)
    return ddsrta.loads(yaml.safe_dump(data, sort_keys=False))


def other_data(seed: int) -> dict[str, Any]:
    """A system without a circle."""
    kind = Random(f"other {seed}").choice(KINDS)
    data: dict[str, Any] = yaml.safe_load(to_yaml(drawn(seed, kind)))
    return data


def united(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Both documents in one."""
    data: dict[str, Any] = {"ddsrta": 1}
    for section in dict.fromkeys((*one, *other)):
        found = [each[section] for each in (one, other) if section in each]
        if section == "network":
            data[section] = [way for ways in found for way in ways]
        elif section == "delays":
            data[section] = found[-1]
        elif section not in ("ddsrta", "name"):
            data[section] = {name: item for each in found for name, item in each.items()}
    return data


def renamed(data: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The same with other names for all that it is made of."""
    sections = [part for name, part in data.items() if name not in HEADER]
    names = {name for part in sections for name in part}
    names |= {f"{m}/{core}" for m, each in data["machines"].items() for core in each["cores"]}
    found = {
        section: part if section == "delays" else _with_prefix(part, names, prefix)
        for section, part in data.items()
    }
    for machine in found["machines"].values():
        machine["cores"] = _without_prefix(machine["cores"], prefix)
    return found


def _with_prefix(part: Any, names: set[str], prefix: str) -> Any:
    if isinstance(part, dict):
        return {
            _with_prefix(key, names, prefix): value
            if key in ("kind", "policy", "order", "mode", "activation", "synchronize")
            else _with_prefix(value, names, prefix)
            for key, value in part.items()
        }
    if isinstance(part, list):
        return [_with_prefix(one, names, prefix) for one in part]
    return prefix + part if isinstance(part, str) and part in names else part


def _without_prefix(cores: Any, prefix: str) -> Any:
    if isinstance(cores, dict):
        return {name.removeprefix(prefix): core for name, core in cores.items()}
    return [name.removeprefix(prefix) for name in cores]


def urgent(data: dict[str, Any]) -> dict[str, Any]:
    """The same with priorities further apart, so that others come between."""
    for section in ("listeners", "flow_controllers", "executors", "threads"):
        for one in data.get(section, {}).values():
            if "priority" in one and one.get("policy") != "SCHED_OTHER":
                one["priority"] = min(98, STEP * one["priority"])
    return data


def rarer(data: dict[str, Any]) -> dict[str, Any]:
    """The same with longer periods, as the circle needs some of the time."""
    for section in ("threads", "callbacks"):
        for job in data.get(section, {}).values():
            arrival = job.get("arrival", {})
            for one in job, arrival if isinstance(arrival, dict) else {}:
                for key in {"period", "timer", "sporadic"} & one.keys():
                    number, unit = re.fullmatch(r"([\d.]+) ?(\w+)", str(one[key])).groups()
                    one[key] = f"{SLOWER * float(number):.10g}{unit}"
    return data


def moved(circle: dict[str, Any], other: dict[str, Any], random: Random) -> dict[str, Any]:
    """A circle on cores of another system, whose messages between machines take their own time."""
    machines = random.sample([*other["machines"]], min(2, len(other["machines"])))
    to: dict[str, str] = {}
    for number, (name, machine) in enumerate(circle["machines"].items()):
        here = machines[number % len(machines)]
        for core in machine["cores"]:
            to[f"{name}/{core}"] = f"{here}/{random.choice([*other['machines'][here]['cores']])}"
    for section in ("listeners", "flow_controllers", "executors", "threads"):
        for one in circle.get(section, {}).values():
            one["core"] = to[one["core"]]
    left = ("machines", "network")
    return {section: part for section, part in circle.items() if section not in left}


def _pick(data: dict[str, Any], random: Random, prefix: str, key: str = "core") -> str | None:
    found = [
        name for name, one in data["threads"].items() if name.startswith(prefix) and key in one
    ]
    return random.choice(found) if found else None


def _around(data: dict[str, Any], random: Random) -> str:
    every = data["threads"] | data.get("callbacks", {})
    return random.choice([name for name in every if name.startswith("r_m")])


def _into(data: dict[str, Any], random: Random) -> None:
    """A thread beside the circle sends into it, too."""
    if name := _pick(data, random, "o_"):
        last = max(topic for topic in data["topics"] if topic.startswith("r_t"))
        sent = {"topic": last, "delay": f"{random.randint(1, 4)}ns"}
        data["threads"][name].setdefault("publishes", []).append(sent)


def _behind(data: dict[str, Any], random: Random) -> None:
    """Two threads hear of a thread of the circle, one behind the other."""
    before = _around(data, random)
    for name in ("z0", "z1"):
        data["threads"][name] = _job(data, random, [before])
        before = name


def _either(data: dict[str, Any], random: Random) -> None:
    """A thread hears of both."""
    name = _pick(data, random, "o_")
    sources = [_around(data, random), *([name] if name else [])]
    data["threads"]["z2"] = _job(data, random, sources)


def _reserved(data: dict[str, Any], random: Random) -> None:
    """A thread of SCHED_DEADLINE, and one that follows it."""
    core, period = _core(data, random), random.choice((60, 110, 170))
    budget = random.randint(4, 12)
    reservation = {"budget": f"{budget}ns", "period": f"{period}ns"}
    job = {"core": core, "reservation": reservation, "wcet": f"{random.randint(3, 2 * budget)}ns"}
    data["threads"]["d0"] = {**job, "period": f"{random.choice((1, 2, 3)) * period}ns"}
    data["threads"]["d1"] = _job(data, random, ["d0"])


def _in_order(data: dict[str, Any], random: Random) -> None:
    """The circle begins with a thread that takes messages as they come."""
    every = data["threads"] | data.get("callbacks", {})
    every["r_m0"]["subscribes"]["order"] = "arrival"


def _job(data: dict[str, Any], random: Random, sources: list[str]) -> dict[str, Any]:
    wcet = random.randint(1, 9)
    follows: dict[str, Any] = {"threads": sources}
    if random.random() < 0.5:
        follows["delay"] = f"{random.randint(1, 9)}ns"
    job = {"core": _core(data, random), "priority": random.randint(1, 60), "wcet": f"{wcet}ns"}
    return {**job, "bcet": f"{random.choice((0, wcet))}ns", "follows": follows}


def _core(data: dict[str, Any], random: Random) -> str:
    cores = [f"{m}/{core}" for m, each in data["machines"].items() for core in each["cores"]]
    return random.choice(cores)
