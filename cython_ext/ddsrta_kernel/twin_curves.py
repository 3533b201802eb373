"""Event curves in plain Python (lemma jitter-propagation), with the shifts found so far."""

from __future__ import annotations

from bisect import bisect_right

from ddsrta_kernel.problem import EXPLICIT, MAXIMUM, PERIODIC, SUM, UNBOUNDED, Problem


class Curves:
    """Event curves of nodes and units (lemma jitter-propagation), with the shifts found so far."""

    def __init__(self, problem: Problem) -> None:
        p = self.problem = problem
        self.before = [best + late for best, late in zip(p.best, p.late, strict=True)]
        self.entry_shift = [0] * len(p.entry_node)

    def node_count(self, node: int, window: int) -> int:
        """η of a node: events in any half-open window of this length."""
        p = self.problem
        if window <= 0:
            return 0
        if window >= UNBOUNDED:
            return UNBOUNDED
        kind = p.node_kind[node]
        if kind == PERIODIC:
            period, jitter, distance = p.node_a[node], p.node_b[node], p.node_c[node]
            count = -(-(window + jitter) // period)
            if distance > 0:
                count = min(count, -(-window // distance))
            return count
        if kind == EXPLICIT:
            period, repeat, first, length = (
                p.node_a[node],
                p.node_b[node],
                p.node_c[node],
                p.node_d[node],
            )
            low = first + length - repeat
            last = window - 1
            if last < p.distances[low]:
                return bisect_right(p.distances, last, first, low) - first
            turns = (last - p.distances[low]) // period
            index = bisect_right(p.distances, last - turns * period, low, first + length)
            return index - first + turns * repeat
        total = 0
        for entry in range(p.node_c[node], p.node_c[node] + p.node_d[node]):
            count = p.entry_multiplicity[entry] * self.node_count(
                p.entry_node[entry], window + self.entry_shift[entry]
            )
            if p.entry_spacing[entry]:
                bunches = -(-(window + p.entry_slack[entry]) // p.entry_spacing[entry])
                count = min(count, bunches * p.entry_bunch[entry])
            total = total + count if kind == SUM else max(total, count)
        return min(total, UNBOUNDED)

    def node_distance(self, node: int, count: int) -> int:
        """δ⁻ of a node: the least distance between the first and the count-th event."""
        p = self.problem
        if count <= 1:
            return 0
        kind = p.node_kind[node]
        if kind == PERIODIC:
            gaps = count - 1
            late = gaps * p.node_a[node] - p.node_b[node]
            return min(UNBOUNDED, max(0, late, gaps * p.node_c[node]))
        if kind == EXPLICIT:
            period, repeat, first, length = (
                p.node_a[node],
                p.node_b[node],
                p.node_c[node],
                p.node_d[node],
            )
            index = count - 1
            if index < length:
                return p.distances[first + index]
            turns = (index - length) // repeat + 1
            return min(UNBOUNDED, p.distances[first + index - turns * repeat] + turns * period)
        if kind == MAXIMUM:
            first = p.node_c[node]
            entries = range(first, first + p.node_d[node])
            return max(0, min(self._entry_distance(entry, count) for entry in entries))
        low, high = -1, 0
        while high < UNBOUNDED and self.node_count(node, high + 1) < count:
            low, high = high, 2 * high + 1
        if high >= UNBOUNDED:
            return UNBOUNDED
        while high - low > 1:
            middle = (low + high) // 2
            if self.node_count(node, middle + 1) < count:
                low = middle
            else:
                high = middle
        return high

    def _entry_distance(self, entry: int, count: int) -> int:
        """δ⁻ of what enters a node."""
        p = self.problem
        distance = self.node_distance(p.entry_node[entry], -(-count // p.entry_multiplicity[entry]))
        if distance < UNBOUNDED:
            distance -= self.entry_shift[entry]
        if p.entry_spacing[entry]:
            bunches = -(-count // p.entry_bunch[entry]) - 1
            apart = min(UNBOUNDED, bunches * p.entry_spacing[entry]) - p.entry_slack[entry]
            distance = max(distance, apart)
        return min(UNBOUNDED, distance)

    def count(self, unit: int, window: int) -> int:
        """η of a unit."""
        p = self.problem
        if window <= 0:
            return 0
        shift = self.before[unit] - p.best[unit]
        count = p.multiplicity[unit] * self.node_count(p.node[unit], window + shift)
        return min(UNBOUNDED, self.spaced(unit, count, window))

    def spaced(self, unit: int, count: int, window: int) -> int:
        """No more than the bunches that fit (lemma output-spacing)."""
        p = self.problem
        if p.spacing[unit]:
            count = min(count, -(-(window + p.slack[unit]) // p.spacing[unit]) * p.bunch[unit])
        return count

    def distance(self, unit: int, count: int) -> int:
        """δ⁻ of a unit."""
        p = self.problem
        events = -(-count // p.multiplicity[unit])
        distance = self.node_distance(p.node[unit], events)
        if distance >= UNBOUNDED:
            return UNBOUNDED
        distance -= self.before[unit] - p.best[unit]
        if p.spacing[unit]:
            bunches = -(-count // p.bunch[unit]) - 1
            distance = max(distance, bunches * p.spacing[unit] - p.slack[unit])
        return max(0, distance)
