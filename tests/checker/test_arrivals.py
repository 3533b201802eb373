"""How many releases come in a window is the inverse of how far apart they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ddsrta.checker.arrivals import Source


@st.composite
def bursts(draw):
    """So many in a row, up to as close together as may be."""
    many, apart = draw(st.integers(1, 5)), draw(st.integers(0, 6))
    return Source("burst", max(1, many * apart + draw(st.integers(0, 9))), apart=apart, many=many)


@st.composite
def curves(draw):
    """Distances that recur, some of them equal."""
    steps = draw(st.lists(st.sampled_from((0, 0, 1, 2, 5)), max_size=5))
    distances = tuple(sum(steps[:n]) for n in range(len(steps) + 1))
    repeat = draw(st.integers(1, len(distances)))
    period = max(1, distances[-1] - distances[-repeat]) + draw(st.sampled_from((0, 0, 1, 4)))
    return Source("curve", period, distances=distances, repeat=repeat)


@given(st.one_of(bursts(), curves()), st.integers(1, 80))
def test_one_more_would_not_fit(source, length):
    most = source.most(length)
    assert source.least(most) < length <= source.least(most + 1)
