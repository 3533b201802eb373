"""Threads of SCHED_OTHER by definition virtual-time alone, with nothing of the simulator: when they
come, how long they run, who is placed where within what is assumed, are drawn."""

from __future__ import annotations

from random import Random

GONE, READY, SLEEPS = range(3)


class Thread:
    """One of them: its weight, when it comes next, and what it still has to do."""

    def __init__(self, weight, random):
        self.weight, self.random = weight, random
        self.state, self.time, self.due, self.lag = GONE, 0.0, 0.0, 0.0
        self.left, self.ran, self.comes = 0.0, 0.0, random.random() * 20
        self.long = random.random() < 0.5

    def work(self, slice_):
        draw = self.random.random()
        if self.long and draw < 0.3:
            return 40 * slice_ * self.random.random()
        return 1e-6 if draw < 0.5 else 2 * slice_ * self.random.random()

    def pause(self, slice_):
        draw = self.random.random()
        return 1e-6 if draw < 0.4 else 4 * slice_ * self.random.random()


class Core:
    """One core; `limit` is the most that the lag of a thread of weight 1 is when it comes."""

    def __init__(self, weights, slice_, tick, limit, random):
        self.threads = [Thread(weight, random) for weight in weights]
        self.slice, self.tick, self.limit, self.random = slice_, tick, limit, random
        self.now, self.next_tick, self.runs = 0.0, tick * random.random(), None
        self.stays = random.random() < 0.7  # who sleeps ahead of its share

    def there(self):
        return [one for one in self.threads if one.state != GONE]

    def mean(self, threads):
        return sum(t.weight * t.time for t in threads) / sum(t.weight for t in threads)

    def place(self, one, lag):
        if others := [t for t in self.there() if t is not one]:
            total = sum(t.weight for t in others)
            one.time = self.mean(others) - lag * (total + one.weight) / total
        one.due, one.state = one.time + self.slice / one.weight, READY

    def pick(self):
        while there := self.there():
            mean = self.mean(there) + 1e-9
            best = min((t for t in there if t.time <= mean), key=lambda t: t.due)
            if best.state == READY:
                return best
            best.state, best.lag = GONE, 0.0
        return None

    def step(self):
        """Up to the next thing that happens."""
        sleeping = [t for t in self.threads if t.state != READY]
        first = min(sleeping, key=lambda t: t.comes, default=None)
        until = min(self.next_tick, first.comes if first else self.next_tick)
        runs, ends = self.runs, False
        if runs is not None and self.now + runs.left <= until:
            until, ends = self.now + runs.left, True
        passed, self.now, over = until - self.now, until, False
        if runs is not None:
            runs.time += passed / runs.weight
            runs.left, runs.ran = runs.left - passed, runs.ran + passed
            if over := runs.time >= runs.due:
                runs.due = runs.time + self.slice / runs.weight
        if ends:
            self.sleeps(runs)
        elif first is not None and first.comes <= until:
            self.wakes(first)
            over = over or self.random.random() < 0.3
        else:
            self.next_tick += self.tick
        if self.runs is None or over:
            self.runs = self.pick()

    def sleeps(self, one):
        lag, most = self.mean(self.there()) - one.time, self.limit / one.weight
        one.state = SLEEPS if lag < 0 and self.stays else GONE
        one.lag, one.comes = max(-most, min(most, lag)), self.now + one.pause(self.slice)
        self.runs = None

    def wakes(self, one):
        one.left = one.work(self.slice)
        if one.state == SLEEPS and self.mean(self.there()) <= one.time:
            one.state = READY
            return
        self.place(one, 0.0 if one.state == SLEEPS else one.lag)


def core(seed):
    """A core that is drawn, with what the lemma calls r and t."""
    random = Random(seed)
    weights = [1024] * random.choice((2, 3, 4))
    if random.random() < 0.7:
        several = (1024, 335, 110) if len(weights) > 2 else (1024, 335, 110, 15, 9548)
        weights = [random.choice(several) for _ in weights]
    slice_, tick = random.choice((1, 3, 5)), random.choice((1, 4, 10))
    limit = random.choice((slice_ + tick, max(2 * slice_, tick)))
    return Core(weights, slice_, tick, limit, random), weights, slice_, tick
