"""Random systems about the callbacks of ROS 2 executors, written as a file and read like one.

In the plain half of them nothing but executors matters: what comes there comes when its source says.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import ceil
from random import Random

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.ros2 import KINDS
from tests.soundness.generator import random_system

DRAWN = ("single_threaded", "single_threaded", *KINDS)
PERIODS = (60, 80, 100, 120, 150, 200, 300, 400, 600, 1000, 1500)


def ros2_system(seed):
    """One or two executors, what releases their callbacks, and what those do."""
    return ddsrta.loads(ros2_text(seed))


def mixed_system(seed):
    """A third of them with executors."""
    return ros2_system(seed) if seed % 3 == 2 else random_system(seed)


def ros2_text(seed):
    """The same as a file."""
    return fitted(Draw(Random(f"ros2 {seed}"), f"ros2 {seed}"))


def fitted(drawn, by_slowest=False):
    """The file of what was drawn, valid and with about the load that was, of jobs that wait for
    several inputs as often as the fastest comes, or the slowest."""
    text = json.dumps(drawn.system())
    if any("are forgotten" in problem for problem in _problems(text)):
        text = json.dumps(_remembering(json.loads(text)))
    if problems := _problems(text):  # messages come directly and through the listener
        twice = ("from outside", "a copy more")
        assert all(any(one in problem for one in twice) for problem in problems), problems
        text = text.replace('"intra_process": true', '"intra_process": false')
    load = max(
        utilization(compile_system(ddsrta.loads(text)), "any" if by_slowest else "none").values()
    )
    factor = ceil(load / drawn.load)
    return slowed(text, factor) if factor > 1 else text


def _problems(text):
    """What is not modelled."""
    try:
        ddsrta.loads(text)
    except ddsrta.InputError as error:
        return [each.message for each in error.diagnostics]
    return []


def _remembering(data):
    """Of a release that forgets no message within a process."""
    for executor in data["executors"].values():
        if "cores" in executor:
            executor["release"] = "iron"
    return data


def slowed(text, factor):
    """The same, released so many times slower."""
    return re.sub(
        r'("(?:period|timer|jitter|sporadic)": )"(\d+)ns"',
        lambda found: f'{found[1]}"{int(found[2]) * factor}ns"',
        text,
    )


class Draw:
    def __init__(self, random, name):
        self.random = random
        self.plain = random.random() < 0.5
        self.load = random.choice((0.2, 0.3, 0.5, 0.6, 0.75, 0.9))
        self.rates = {}  # jobs per ns of each thread and callback
        self.traffic = {}  # messages per ns on each topic, and who writes it
        self.data = {
            "ddsrta": 1, "name": name, "topics": {}, "services": {},
            "delays": {"take": {"1B": self.cost(2)}}, "processes": {}, "listeners": {},
            "flow_controllers": {}, "threads": {}, "executors": {}, "callbacks": {}, "chains": {},
        }  # fmt: skip
        self.cores = []

    def chance(self, probability):
        return self.random.random() < probability

    def own_core(self):
        self.cores.append(f"c{len(self.cores)}")
        return f"m/{self.cores[-1]}"

    def ns(self, number):
        return f"{number}ns"

    def cost(self, most):
        worst = 0 if self.plain else self.random.randint(0, most)
        return {"worst": self.ns(worst), "best": self.ns(self.random.choice((0, worst)))}

    def system(self):
        random, data = self.random, self.data
        focus = self.own_core()
        self.place = lambda: {
            "core": focus if not self.plain and self.chance(0.3) else self.own_core(),
            "priority": random.choice((2, 3, 3, 4)),
        }
        data["flow_controllers"]["F"] = {**self.place(), "policy": random.choice(("FIFO", "ROUND_ROBIN"))}  # fmt: skip
        names = [f"e{i}" for i in range(1 if self.plain else random.choice((1, 1, 1, 2)))]
        for i in range(1 if self.plain else random.choice((1, 1, 2))):
            data["listeners"][f"L{i}"] = self.place()
            data["processes"][f"p{i}"] = {
                "listener": f"L{i}", "intra_process": random.choice((False, True)),
            }  # fmt: skip
        for name in names:
            data["executors"][name] = self.executor(focus)
        for i in range(random.choice((1, 2, 3) if self.plain else (0, 1, 1, 2))):
            self.driver(f"d{i}")
        for i in range(random.randint(2, 4) if self.plain else random.randint(2, 7)):
            self.callback(f"x{i}", random.choice(names))
        self.fit()
        if self.chance(0.2) and not self.plain:
            data["threads"]["other"] = {
                "core": focus, "priority": 3, "wcet": self.ns(random.randint(1, 9)),
                "period": self.ns(random.choice(PERIODS)),
            }  # fmt: skip
        order = list(data["callbacks"])
        random.shuffle(order)
        data["callbacks"] = {name: data["callbacks"][name] for name in order}
        data["machines"] = {"m": {"cores": self.cores}}
        self.chains()
        kept = ("threads", "ddsrta", "name", "machines")
        return {key: value for key, value in data.items() if value or key in kept}

    def executor(self, focus, kind=None):
        random = self.random
        kind = kind or random.choice(DRAWN)
        drawn = {"core": focus, "priority": random.choice((3, 3, 4)), "kind": kind}
        drawn["order"] = random.choice(("unknown", "registered"))
        release = random.choice((None, *KINDS[kind].releases))
        if release:
            drawn["release"] = release
        if not KINDS[kind].by_priority and self.chance(0.15):
            period = random.choice(PERIODS)
            self.rates[f"{len(self.rates)} background"] = Fraction(1, period)
            drawn["background"] = {"wcet": self.ns(random.randint(1, 6)), "period": self.ns(period)}
        processes = [
            name for name, process in self.data["processes"].items()
            if KINDS[kind].intra_process or not process["intra_process"]
        ]  # fmt: skip
        if processes and self.chance(0.7):
            drawn["process"] = random.choice(processes)
        return drawn

    # What is sent

    def publishes(self, rate, writes):
        """New topics, or one that is read by nobody yet."""
        found = []
        for _ in range(self.random.choice(writes)):
            topic = f"T{len(self.data['topics'])}"
            unread = [t for t, (_, writers, readers) in self.traffic.items() if not readers]
            unread = [t for t in unread if "/" not in t and t not in [p["topic"] for p in found]]
            if unread and self.chance(0.15):
                topic = self.random.choice(unread)
            else:
                self.data["topics"][topic] = {"size": "1B", "priority": self.random.randint(0, 2)}
                self.traffic[topic] = [Fraction(0), 0, 0]
            count = self.random.choice((1, 1, 1, 2))
            publication = {"topic": topic, **self.sending(topic)}
            if count > 1:
                publication["count"] = count
            found.append(publication)
            self.traffic[topic][0] += rate * count
            self.traffic[topic][1] += 1
        return found

    def sending(self, topic):
        if self.chance(0.5):
            return {"flow_controller": "F", "delay": self.cost(3)}
        return {"delay": self.cost(3)}

    def calls(self, rate):
        """A request to a service whose server is drawn later."""
        name = f"S{len(self.data['services'])}"
        open_ones = [s for s in self.data["services"] if not self.traffic[f"{s}/request"][2]]
        if open_ones and self.chance(0.5):
            name = self.random.choice(open_ones)
        else:
            self.data["services"][name] = {"request": "1B", "reply": "1B"}
            self.traffic[f"{name}/request"] = [Fraction(0), 0, 0]
        self.traffic[f"{name}/request"][0] += rate
        self.traffic[f"{name}/request"][1] += 1
        return [{"service": name, **self.sending(name)}]

    # Who sends

    def timed(self):
        """A period, or more than that, and its rate."""
        period = self.random.choice(PERIODS)
        if self.chance(0.6):
            return self.ns(period), Fraction(1, period)
        jitter = self.random.choice((1, period // 2, period, 2 * period))
        return {"period": self.ns(period), "jitter": self.ns(jitter)}, Fraction(1, period)

    def driver(self, name):
        arrival, rate = self.timed()
        drawn = {**self.place(), "wcet": self.ns(1 if self.plain else self.random.randint(1, 4))}
        drawn["arrival" if isinstance(arrival, dict) else "period"] = arrival
        drawn["publishes"] = self.publishes(rate, (1, 1, 2))
        if self.chance(0.4):
            drawn["process"] = self.random.choice(list(self.data["processes"]))
        self.rates[name] = rate
        self.data["threads"][name] = drawn

    def callback(self, name, executor):
        random = self.random
        drawn = {"executor": executor}
        if KINDS[self.data["executors"][executor]["kind"]].by_priority:
            drawn["priority"] = random.randint(1, 4)
        topics = [topic for topic in self.traffic if "/" not in topic]
        single = [topic for topic in topics if self.traffic[topic][1] == 1]
        followed = [name for name in self.rates if " " not in name]
        servers = [s for s in self.data["services"] if not self.traffic[f"{s}/request"][2]]
        replies = [s for s in self.data["services"] if f"{s}/reply" in self.traffic]
        ways = [self.timer] * 4
        ways += [self.subscription] * 5 if topics else []
        ways += [self.together] * 3 if len(single) > 1 else []
        ways += [self.follows] * 2 if followed else []
        ways += [self.server] * 5 if servers else []
        ways += [self.client] * 5 if replies else []
        rate = random.choice(ways)(drawn, topics, single, followed, servers, replies)
        self.rates[name] = rate
        if self.chance(0.3 if self.plain else 0.6):
            drawn["publishes"] = self.publishes(rate, (1, 1, 1, 2))
        if self.chance(0.25):
            drawn["calls"] = self.calls(rate)
        if random.random() < 0.3:
            drawn["reentrant"] = True
        self.data["callbacks"][name] = drawn

    def timer(self, drawn, topics, *_):
        arrival, rate = self.timed()
        if isinstance(arrival, dict) or self.chance(0.1):
            arrival = arrival if isinstance(arrival, dict) else {"sporadic": arrival}
            drawn["arrival"] = arrival
        else:
            drawn["timer"] = arrival
        if topics and self.chance(0.15):
            drawn["subscribes"] = self.reads([self.random.choice(topics)], drawn)
        return rate

    def reads(self, topics, drawn):
        for topic in topics:
            self.traffic[topic][2] += 1
        found = {"topics": topics, "delay": self.ns(self.random.randint(1, 3))}
        if self.chance(0.4):
            found["take"] = self.cost(4)
        return {**found, **self.listener(drawn)}

    def listener(self, drawn):
        if "process" in self.data["executors"][drawn["executor"]]:
            return {}
        return {"listener": self.random.choice(list(self.data["listeners"]))}

    def subscription(self, drawn, topics, *_):
        topic = self.random.choice(topics)
        drawn["subscribes"] = self.reads([topic], drawn)
        return self.traffic[topic][0]

    def together(self, drawn, _, single, *rest):
        chosen = self.random.sample(single, min(len(single), self.random.choice((2, 2, 3))))
        drawn["subscribes"] = {**self.reads(chosen, drawn), "activation": "and"}
        return min(self.traffic[topic][0] for topic in chosen)

    def follows(self, drawn, topics, single, followed, *_):
        chosen = self.random.sample(followed, min(len(followed), self.random.choice((1, 1, 2))))
        both = self.chance(0.5)
        delay = self.random.choice((0, 0, 3, 20))
        drawn["follows"] = {"threads": chosen, "activation": "and" if both else "or",
                            "delay": self.ns(delay)}  # fmt: skip
        rates = [self.rates[name] for name in chosen]
        return min(rates) if both else sum(rates)

    def server(self, drawn, topics, single, followed, servers, _):
        name = self.random.choice(servers)
        rate = self.traffic[f"{name}/request"][0]
        self.traffic[f"{name}/request"][2] += 1
        self.traffic[f"{name}/reply"] = [rate, 1, 0]
        drawn["serves"] = {"service": name, "delay": self.ns(self.random.randint(1, 3)),
                           "reply": self.sending(name), **self.listener(drawn)}  # fmt: skip
        return rate

    def client(self, drawn, topics, single, followed, servers, replies):
        name = self.random.choice(replies)
        self.traffic[f"{name}/reply"][2] += 1
        drawn["receives"] = {"service": name, "delay": self.ns(self.random.randint(1, 3)),
                             **self.listener(drawn)}  # fmt: skip
        return self.traffic[f"{name}/reply"][0]

    # What it costs

    def fit(self):
        """Costs that add about their share to the load; what is sent comes on top."""
        callbacks = self.data["callbacks"]
        for name, drawn in callbacks.items():
            share = self.load * self.random.choice((0.3, 0.7, 1, 1.4)) / len(callbacks)
            worst = max(1, int(share / float(self.rates[name])) - 2)
            drawn["wcet"] = self.ns(worst)
            if self.chance(0.6):
                drawn["bcet"] = self.ns(self.random.choice((0, worst, worst // 2)))

    # What is asked

    def chains(self):
        names = list(self.data["threads"]) + list(self.data["callbacks"])
        read = {}
        for name in names:
            thing = self.data["callbacks"].get(name) or self.data["threads"][name]
            for topic in thing.get("subscribes", {}).get("topics", ()):
                read.setdefault(topic, []).append(name)
            if "serves" in thing:
                read.setdefault(f"{thing['serves']['service']}/request", []).append(name)
            if "receives" in thing:
                read.setdefault(f"{thing['receives']['service']}/reply", []).append(name)
        for i in range(self.random.randint(1, 4)):
            path = [self.random.choice(names)]
            while hops := [(t, r) for t in self.written(path[-1]) for r in read.get(t, ())]:
                path += self.random.choice(hops)
            asked = {"path": path}
            if any("/" in name for name in path):  # topics of services have no names in a path
                asked = {"from": path[0], "to": path[-1]}
            if len(path) > 1 and asked not in self.data["chains"].values():
                self.data["chains"][f"chain{i}"] = asked

    def written(self, name):
        thing = self.data["callbacks"].get(name) or self.data["threads"][name]
        found = [p["topic"] for p in thing.get("publishes", ())]
        found += [f"{c['service']}/request" for c in thing.get("calls", ())]
        return found + ([f"{thing['serves']['service']}/reply"] if "serves" in thing else [])
