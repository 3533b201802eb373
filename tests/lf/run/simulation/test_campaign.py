"""The short form of `python -m tests.lf.run.simulation.campaign`, and federations that once were above a bound."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.lf.run.simulation.campaign import attacked, campaign, centralized, decentralized

# Late messages that are not tardy; sending of ports behind delayed inner connections; tags without
# reactions; messages of several microsteps with one tag.
DECENTRALIZED = (27, 45, 48, 65, 118, 146, 184, 224, 228)
# A federate with physical actions whose clock does not vouch for a message's tag yet; it is busy
# when its clock is to be told; DNETs that come while it is.
CENTRALIZED = (69, 138, 207, 335, 353, 477)


def test_no_bound_is_exceeded_and_offsets_are_needed() -> None:
    counts, problems = campaign(range(12))
    assert problems == []
    assert counts["decentralized: done reached"] > 7
    assert counts["centralized: done reached"] > 5
    assert counts["attack: reached"] > 1


@pytest.mark.parametrize("seed", DECENTRALIZED)
def test_what_was_above_a_bound_is_not_any_more(seed: int) -> None:
    assert list(decentralized(seed, Counter())) == []
    assert list(attacked(seed, Counter())) == []


@pytest.mark.parametrize("seed", CENTRALIZED)
def test_what_was_above_a_lag_is_not_any_more(seed: int) -> None:
    assert list(centralized(seed, Counter())) == []
