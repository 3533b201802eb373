"""Systems of which the published analysis is asked."""

from __future__ import annotations

from ddsrta.models.reader import loads

US = 1000


def system(text: str):
    head = "ddsrta: 1\nmachines: {m: {cores: [a, b, c, d]}, n: {cores: [a]}}\n"
    return loads(head + "network: [{from: m, to: n, delay: 5us}]\n" + text)


def controller(policy: str, topics: str, queue: str = "") -> str:
    """A flow controller alone on m/b, and a listener and reader (costs 1 us) alone on theirs."""
    return f"""
topics: {{A: {{size: 1B, priority: -1}}, B: {{size: 1B, priority: 0}}, C: {{size: 1B, priority: 0}}}}
flow_controllers: {{F: {{core: m/b, priority: 90, policy: {policy}{queue}}}}}
listeners: {{L: {{core: m/c, priority: 90}}}}
delays: {{listener: {{1B: 1us}}}}
threads:
  R: {{core: m/d, priority: 1, wcet: 1us, subscribes: {{topics: [{topics}], listener: L}}}}
"""


def sender(name: str, topic: str, cost: str, period: str = "1s", count: int = 1):
    """A publisher on m/a. Priorities fall in the order A, B, C, so response times are 1, 2, 3 us."""
    return f"""
  {name}: {{core: m/a, priority: {99 - ord(name[-1])}, wcet: 1us, arrival: {{sporadic: {period}}},
     publishes: [{{topic: {topic}, flow_controller: F, delay: {cost}, count: {count}}}]}}"""


JOIN = """
topics: {A: {size: 1B}, B: {size: 1B}}
listeners: {L: {core: m/b, priority: 9}}
delays: {listener: {1B: 1us}, publisher: {1B: 0us}}
threads:
  P: {core: m/a, priority: 9, wcet: 1us, period: 100us, publishes: [{topic: A}]}
  Q: {core: n/a, priority: 9, wcet: 1us, period: 100us, publishes: [{topic: B}]}
  R: {core: m/c, priority: 9, wcet: 10us, subscribes: {topics: [A, B], listener: L, activation: %s}}
"""


CHAIN = """
topics: {A: {size: 1B}, slow: {size: 1B}, B: {size: 1B}}
flow_controllers: {F: {core: m/b, priority: 99}}
listeners: {L: {core: m/c, priority: 99}}
delays: {listener: {1B: 1us}, publisher: {1B: 0us}}
threads:
  P: {core: m/a, priority: 9, wcet: 1us, period: 1s, publishes: [
      {topic: A, flow_controller: F, delay: 2us}, {topic: slow, flow_controller: G, delay: 50us}]}
  M: {core: m/a, priority: 8, wcet: 3us, subscribes: {topics: [A], listener: L}, publishes: [{topic: B}]}
  Z: {core: m/d, priority: 7, wcet: 10us, subscribes: {topics: [B], listener: L}}
  other: {core: m/d, priority: 6, wcet: 1us, subscribes: {topics: [slow], listener: L}}
  W: {core: m/d, priority: 8, wcet: 1us, follows: {threads: [Z], delay: 7us}}
""".replace("{F:", "{G: {core: n/a, priority: 9}, F:").replace("core: n/a", "core: m/c")
