"""What runs have shown, measure by measure; of many runs together as of one."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from ddsrta.simulation.run import Run
from ddsrta_simulator.program import bucket, bucket_least

Histogram = dict[int, int]  # how many values are in a bucket, by the least value of the bucket


@dataclass
class Seen:
    """The largest value of each measure (-1: none), the seed that showed it, and all values.

    Of several seeds that show the same, the smallest is named: the order of runs does not matter.
    """

    worst: array[int]
    seeds: array[int]
    histograms: list[Histogram]
    events: int = 0
    messages: int = 0
    simulated: int = 0

    @classmethod
    def nothing(cls, measures: int) -> Seen:
        """What is known before the first run.

        >>> Seen.nothing(2).worst
        array('q', [-1, -1])
        """
        none = array("q", [-1]) * measures
        return cls(none, none[:], [{} for _ in range(measures)])

    @classmethod
    def of(cls, run: Run, seed: int, reached: int) -> Seen:
        """What a run has shown until the time that it has reached."""
        worst = run.worst
        seeds = array("q", [seed if value >= 0 else -1 for value in worst])
        histograms = [run.histogram(measure) for measure in range(len(worst))]
        return cls(worst, seeds, histograms, run.events, run.messages, reached)

    def add(self, other: Seen) -> None:
        """Take in what other runs have shown."""
        for i, value in enumerate(other.worst):
            seed = other.seeds[i]
            if value > self.worst[i] or (value == self.worst[i] >= 0 and seed < self.seeds[i]):
                self.worst[i], self.seeds[i] = value, seed
            mine = self.histograms[i]
            for least, count in other.histograms[i].items():
                mine[least] = mine.get(least, 0) + count
        self.events += other.events
        self.messages += other.messages
        self.simulated += other.simulated

    def numbers(self) -> array[int]:
        """All of it as numbers, for a file or another process."""
        flat = array("q", [len(self.worst), self.events, self.messages, self.simulated])
        flat += self.worst + self.seeds
        for histogram in self.histograms:
            flat.append(len(histogram))
            for least in sorted(histogram):
                flat.extend((least, histogram[least]))
        return flat

    @classmethod
    def from_numbers(cls, flat: array[int]) -> Seen:
        """The opposite of `numbers`; an IndexError or ValueError says that they are none.

        >>> Seen.from_numbers(Seen.nothing(3).numbers()) == Seen.nothing(3)
        True
        """
        measures, events, messages, simulated = flat[:4]
        place = 4 + 2 * measures
        worst, seeds = flat[4 : 4 + measures], flat[4 + measures : place]
        histograms = []
        for _ in range(measures):
            end = place + 1 + 2 * flat[place]
            entries = flat[place + 1 : end]
            histograms.append(dict(zip(entries[::2], entries[1::2], strict=True)))
            place = end
        if place != len(flat) or measures < 0:
            raise ValueError("these numbers are no observations")
        return cls(worst, seeds, histograms, events, messages, simulated)


def merged(parts: Iterable[Seen], measures: int) -> Seen:
    """All that the parts have shown."""
    whole = Seen.nothing(measures)
    for part in parts:
        whole.add(part)
    return whole


def percentile(histogram: Histogram, largest: int, share: int, of: int = 1000) -> int:
    """A value that at least `share / of` of all values do not exceed.

    It is the upper edge of a bucket, so it may be above the true percentile by one part in 16, but
    never above the largest value.

    >>> percentile({3: 98, 64: 2}, 66, 500), percentile({3: 98, 64: 2}, 66, 990)
    (3, 66)
    """
    wanted = -(-sum(histogram.values()) * share // of)
    below = 0
    for least in sorted(histogram):
        below += histogram[least]
        if below >= wanted:
            return min(largest, bucket_least(bucket(least) + 1) - 1)
    return largest
