"""What links that differ a little owe each other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import ddsrta
from ddsrta.models.media import Frame


def drawn(random: Random, kind: str) -> ddsrta.System:
    """A link with a few frames."""
    key, most, bits = ("can_id", 60, 125) if kind == "can" else ("pcp", 7, 1_000)
    priorities = random.sample(range(most), 5)
    frames = {}
    for i, priority in enumerate(priorities[: random.randint(3, 5)]):
        period = random.choice((2_500, 3_500, 5_000, 8_000)) * 1_000
        late = random.choice((0, 0, period // 3, 2 * period))
        apart = random.choice((0, period // 4)) if late else 0
        size = random.randint(0, 7) if kind == "can" else random.randint(30, 99)
        frames[f"f{i}"] = Frame(f"f{i}", size, period, late, apart, {key: priority})
    text = f"ddsrta: 1\nmachines: {{}}\nlinks: {{l: {{kind: {kind}, rate: {bits} kbit/s}}}}"
    return with_frames(ddsrta.loads(text), frames)


def with_frames(system: ddsrta.System, frames: dict[str, Frame], **changes) -> ddsrta.System:
    medium = replace(system.media["l"], frames=frames, **changes)
    return replace(system, media={"l": medium})


def bounds(system: ddsrta.System) -> dict[str, int | None]:
    found = ddsrta.analyze(system, check=False).links["l"].messages
    return {name: message.wcrt for name, message in found.items()}


def longer(system, frame, random):
    return with_frame(system, replace(frame, size=frame.size + (1 if frame.size < 8 else 9)))


def later(system, frame, random):
    return with_frame(system, replace(frame, jitter=frame.jitter + random.randint(1, frame.period)))


def denser(system, frame, random):
    return with_frame(system, replace(frame, period=frame.period * 4 // 5, min_distance=0))


def further(system, frame, random):
    key = next(iter(frame.settings))
    priority = 61 + random.randint(0, 9) if key == "can_id" else random.randint(0, 7)
    if key == "can_id" and random.random() < 0.5:  # below all others in number: the most urgent
        moved = [replace(f, settings={key: f.settings[key] + 1}) for f in frames(system)]
        system, priority = with_frames(system, {f.name: f for f in moved}), 0
    more = Frame("more", frame.size, 9_000_000, settings={key: priority})
    return with_frame(system, more)


def slower(system, frame, random):
    medium = system.media["l"]
    return with_frames(system, medium.frames, rate=medium.rate - random.randint(1, 20_000))


def frames(system):
    return list(system.media["l"].frames.values())


def with_frame(system, frame):
    return with_frames(system, {**system.media["l"].frames, frame.name: frame})


@pytest.mark.parametrize("kind", ["can", "ethernet"])
@pytest.mark.parametrize("harder", [longer, later, denser, further, slower])
def test_no_bound_is_lower_where_more_is_sent_or_slower(kind, harder):
    rises = 0
    for seed in range(9):
        random = Random(f"{kind} {seed}")
        system = drawn(random, kind)
        before = bounds(system)
        after = bounds(harder(system, random.choice(frames(system)), random))
        for name, bound in before.items():
            assert bound is None or after[name] is None or after[name] >= bound
            assert bound is not None or after[name] is None
            rises += after[name] != bound
    assert rises > 2


@pytest.mark.parametrize("kind", ["can", "ethernet"])
def test_names_order_and_the_unit_of_time_mean_nothing(kind):
    for seed in range(6):
        system = drawn(Random(f"{kind} {seed}"), kind)
        before = bounds(system)
        turned = with_frames(system, {f.name: f for f in reversed(frames(system))})
        assert bounds(turned) == before
        renamed = [replace(f, name=f"z{9 - i}") for i, f in enumerate(frames(system))]
        found = bounds(with_frames(system, {f.name: f for f in renamed}))
        assert list(found.values()) == list(before.values())
        slow = [
            replace(f, period=10 * f.period, jitter=10 * f.jitter, min_distance=10 * f.min_distance)
            for f in frames(system)
        ]
        tenth = with_frames(system, {f.name: f for f in slow}, rate=system.media["l"].rate // 10)
        longer = {name: bound and 10 * bound for name, bound in before.items()}
        assert bounds(tenth) == longer
