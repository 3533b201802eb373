"""A chain with a name in every place that is hard to show."""

from __future__ import annotations

import json

from ddsrta_simulator import Measure
from tests.simulation.drawings import Scene

HOSTILE = ['qu"ote', "<b>&amp;", "line break", "🚗 speed", "back\\slash", "long" * 49]


def hostile():
    """Of the shape of `chain` in test_timeline."""
    p, topic, r, controller, listener, busy = (
        json.dumps(name, ensure_ascii=False) for name in HOSTILE
    )
    text = f"""
topics: {{{topic}: {{size: 1B}}}}
flow_controllers: {{{controller}: {{core: m/c0, priority: 5, policy: FIFO}}}}
listeners: {{{listener}: {{core: m/c1, priority: 9}}}}
threads:
  {p}: {{core: m/c0, priority: 9, wcet: 4ns, period: 1us,
    publishes: [{{topic: {topic}, flow_controller: {controller}, delay: 2ns}}]}}
  {busy}: {{core: m/c0, priority: 7, wcet: 3ns, period: 1us}}
  {r}: {{core: m/c1, priority: 1, wcet: 5ns,
    subscribes: {{topics: [{topic}], listener: {listener}}}}}
chains: {{c: {{path: [{p}, {topic}, {r}]}}}}
"""
    scene = Scene(text, {HOSTILE[0]: [0], HOSTILE[5]: [3]})
    for group in ("servers", "stages", "streams", "hops", "measures"):
        setattr(scene.program, group, _broken(getattr(scene.program, group)))
    return scene


def _broken(names):
    """The reader takes no such name, but a system may be built without it."""
    if isinstance(names, str):
        return names.replace("line break", "line\nbreak\x1b[31m\u202e")
    if isinstance(names, Measure):
        return Measure(names.kind, _broken(names.of))
    if isinstance(names, list):
        return [_broken(name) for name in names]
    return tuple(map(_broken, names)) if isinstance(names, tuple) else names
