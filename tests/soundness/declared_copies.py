"""Random systems of which every topic declares the order of its copies, or none does."""

from dataclasses import replace
from random import Random

from tests.soundness.draw import drawn


def with_copies(system, order):
    """The system with one order for all topics."""
    topics = {name: replace(topic, copies=order) for name, topic in system.topics.items()}
    return replace(system, topics=topics)


def declared(seed, kind):
    """A system in which some topic with a declared order has several readers, or None."""
    system = with_copies(drawn(seed, kind), Random(seed).choice(("connection", "priority")))
    published = {p.topic for thread in system.threads.values() for p in thread.publishes}
    return system if any(len(system.readers(topic)) > 1 for topic in published) else None


def all_declared(seeds, kind="small"):
    """Those of some seeds."""
    found = (declared(seed, kind) for seed in seeds)
    return [system for system in found if system is not None]
