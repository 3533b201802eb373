"""How the stages of one thread, and threads among each other, delay one another.

The policies of flow controllers, by their names in system.yaml: grammar, reference, analysis,
findings, simulation and campaigns read this list. A policy is one object in a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.policies.edf import EarliestDeadlineFirst
from ddsrta.policies.fifo import Fifo
from ddsrta.policies.high_priority import HighPriority
from ddsrta.policies.policy import Policy
from ddsrta.policies.reserved import Reserved
from ddsrta.policies.round_robin import RoundRobin
from ddsrta.policies.weighted import WeightedRoundRobin

_ALL: tuple[Policy, ...] = (
    Fifo(),
    HighPriority(),
    RoundRobin(),
    Reserved(),
    EarliestDeadlineFirst(),
    WeightedRoundRobin(),
)
POLICIES: Mapping[str, Policy] = {policy.name: policy for policy in _ALL}
TOPIC_KEYS = {name: key for policy in _ALL for name, key in policy.topic_keys.items()}
PUBLICATION_KEYS = {name: key for policy in _ALL for name, key in policy.publication_keys.items()}
