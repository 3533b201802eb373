"""What the model leaves open, decided: all worst at once, or at random with a bias to the extremes."""

from __future__ import annotations

from random import Random

from tests.soundness import releases


class Choices:
    """All worst, everything released together at 0, messages handed over at the end of the job."""

    def tie(self):
        """Which of simultaneous events comes first: the smaller."""
        return 0

    def yields(self):
        """A thread that has just run out of work sleeps before it sees what comes this instant."""
        return False

    def releases(self, thread, arrival, horizon):
        """The release times of a source."""
        return releases.dense(arrival, 0, horizon)

    def cost(self, what, best, worst, now):
        """Processor time of one job, copy or message: `what` it is."""
        return worst

    def point(self, thread, low, high):
        """After how much of its execution a job hands over its next message."""
        return high

    def delay(self, what, best, worst, now):
        """Propagation to a listener, or from a thread to its follower."""
        return worst

    def readers(self, stream, names):
        """The order in which the copies of a message are sent."""
        return names

    def reservations(self, budgets, horizon):
        """For each (budget, period) of a core: phase, habit, turn; see supplies.place."""
        return [(-budget, "gap", 0) for budget, period in budgets]

    def uniform(self, below):
        """A number below this one."""
        return 0


class RandomChoices(Choices):
    """A seed decides. Each stage keeps to a habit; many have a turning point near a common burst."""

    HABITS = ("worst", "worst", "best", "random", "either", "worst then best", "best then worst")

    def __init__(self, seed, burst=None):
        self.random = Random(seed)
        self.burst = burst
        self.calm = self.random.random() < 0.25  # ties in order of creation
        self.eager = self.random.choice((0.0, 0.0, 0.5, 1.0))
        self.bias = self.random.choice((0.0, 0.5, 0.9))  # of habits to the worst case
        self.habits = {}

    def uniform(self, below):
        return int(self.random.random() * below)

    def tie(self):
        return 0 if self.calm else self.random.random()

    def yields(self):
        return self.random.random() < self.eager

    def start(self, horizon):
        """The common burst: at 0, or after a while."""
        if self.burst is None:
            self.burst = 0 if self.uniform(3) == 0 else self.uniform(horizon // 3 + 1)
        return self.burst

    def releases(self, thread, arrival, horizon):
        burst = self.start(horizon)
        kind = self.random.random()
        first = max(1, arrival.least_distance(2))
        if kind < 0.45:
            return releases.aligned(arrival, burst, horizon, self.uniform)
        if kind < 0.65:
            near = max(0, burst + self.uniform(2 * first) - first)
            return releases.aligned(arrival, near, horizon, self.uniform)
        if kind < 0.8:
            return releases.dense(arrival, self.uniform(first), horizon)
        return releases.wild(arrival, self.uniform(first), horizon, self.uniform)

    def habit(self, what):
        if what not in self.habits:
            habit = "worst"
            if self.random.random() >= self.bias:
                habit = self.random.choice(self.HABITS)
            turn = (self.burst or 0) + self.uniform(60) - 20
            self.habits[what] = (habit, turn)
        return self.habits[what]

    def cost(self, what, best, worst, now):
        if best == worst:
            return worst
        habit, turn = self.habit(what)
        if habit == "random":
            return best + self.uniform(worst - best + 1)
        if habit == "either":
            return worst if self.random.random() < 0.5 else best
        if habit == "worst then best":
            return worst if now < turn else best
        if habit == "best then worst":
            return best if now < turn else worst
        return worst if habit == "worst" else best

    delay = cost

    def point(self, thread, low, high):
        return self.cost(("point", thread), low, high, 0)

    def readers(self, stream, names):
        habit, _ = self.habit(("readers", stream))
        names = list(names)
        if habit == "best":
            names.reverse()
        elif habit == "random":
            self.random.shuffle(names)
        return names

    def reservations(self, budgets, horizon):
        answer = []
        for budget, period in budgets:
            habit = self.random.choice(("gap", "gap", "late", "random", "either"))
            turn = self.start(horizon) + (self.uniform(period) if self.uniform(3) == 0 else 0)
            phase = turn - budget if habit == "gap" else self.uniform(period)
            answer.append((phase, habit, turn))
        return answer
