"""What comes behind pools: nothing of it is rare in the draw, its certificates hold, and ones that
take what begins a new base for an effect do not."""

from __future__ import annotations

from collections import Counter

import ddsrta
from ddsrta.bounds.effects import successors as causes
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from tests.effort import draws
from tests.soundness.draw import drawn, kind_of_seed
from tests.soundness.features import features_of
from tests.soundness.wide import wide_system

# At least this part of the systems has it, before `drawn` adds synchronizers and queues.
WANTED = {
    "FIFO": 0.15, "HIGH_PRIORITY": 0.15, "ROUND_ROBIN": 0.3, "AND": 0.2, "OR": 0.5,
    "several inputs": 0.25, "mtd": 0.05, "approximate_time": 0.05, "latest": 0.05,
    "synchronizer of a thread": 0.2, "pool": 1, "reentrant": 0.6, "group": 0.3,
    "join of a sample from a pool": 0.15,
}  # fmt: skip


def pooled(system):
    """What of a system concerns its pools."""
    members = [thread for thread in system.threads.values() if thread.executor]
    if any(len(executor.cores) > 1 for executor in system.executors.values()):
        yield "pool"
    yield from ["group"] if any(thread.group for thread in members) else ()
    yield from ["reentrant"] if any(thread.reentrant for thread in members) else ()
    sent = {publication.topic for thread in members for publication in thread.publishes}
    joins = [thread for name, thread in system.threads.items() if name.startswith("join")]
    if any(sent & set(thread.synchronized_topics) for thread in joins):
        yield "join of a sample from a pool"


def test_nothing_is_rare():
    counts = Counter()
    for seed in range(100):
        system = wide_system(seed)
        counts.update({*features_of(system, {}), *pooled(system)})
    assert not {name: counts[name] for name, part in WANTED.items() if counts[name] < 100 * part}


def test_a_share_of_the_seeds_is_drawn_so():
    kinds = Counter(kind_of_seed(seed) for seed in range(2000))
    assert 30 <= kinds["wide"] <= 90


def test_certificates_hold():
    for seed in range(draws(12, of=40)):
        verdict = check(certificate(drawn(seed, "wide")))
        assert verdict.ok, f"seed {seed}: {verdict.failure}"


def parents_across_bases(stages, streams, sets):
    """As the search for causes, but through every stage with one input, whatever its base is."""
    parents = []
    for number, stage in enumerate(stages):
        found = []
        continues = all(entry is None for entry in streams.of[number].entries)
        if len(stage.inputs) == 1 or (sets and continues):
            for source in dict.fromkeys(edge.source for edge in stage.inputs):
                ends = causes.releases_at_end(stages, source, number)
                found += [source] if ends else parents[source]
        parents.append(list(dict.fromkeys(found))[: causes.MOST_RANGES])
    return parents


def test_effects_across_a_new_base_are_refuted(monkeypatch):
    systems = [drawn(seed, "wide") for seed in range(draws(8, of=20))]
    honest = [ddsrta.analyze(system) for system in systems]
    monkeypatch.setattr(causes, "_parents", parents_across_bases)
    moved = [s for s, known in zip(systems, honest, strict=True) if ddsrta.analyze(s) != known]
    assert moved
    assert not any(check(certificate(system)).ok for system in moved)
