"""What the model leaves open, decided: all worst at once, or at random with a bias to the extremes."""

from __future__ import annotations

from random import Random

from tests.soundness import releases


class Choices:
    """All worst, everything released together at 0, messages handed over at the end of the job."""

    def begin(self, horizon):
        """A run begins."""

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

    def point(self, thread, low, high, now):
        """After how much of its execution a job hands over its next message."""
        return high

    def delay(self, what, best, worst, now):
        """Propagation to a listener, or from a thread to its follower."""
        return worst

    def readers(self, stream, names):
        """The order in which the copies of a message are sent."""
        return names

    def reservations(self, core, budgets):
        """For each (budget, period) of a core: phase, habit, turn; see supplies.place."""
        return [(-budget, "gap", 0) for budget, period in budgets]

    def uniform(self, below):
        """A number below this one."""
        return 0


class RandomChoices(Choices):
    """A seed decides. Each stage keeps to a habit; many have a turning point near a common burst.

    Whatever decides has dice of its own, so that `genes`, {what: (seed, nudge)}, can change one
    decision and leave the others: the seed of its dice, and by how many ns its moment moves.
    """

    HABITS = ("worst", "worst", "best", "random", "either", "worst then best", "best then worst")

    def __init__(self, seed, genes=None):
        self.seed = seed
        self.genes = genes or {}
        self.dice = {}
        self.habits = {}
        random = self.of("all")
        self.late = random.choice((0, 0.1, 0.35)) * random.random()
        self.calm = random.random() < 0.25  # ties in order of creation
        self.eager = random.choice((0.0, 0.0, 0.5, 1.0))
        self.bias = random.choice((0.0, 0.5, 0.9))  # of habits to the worst case
        self.chance = self.of("ties").random

    def of(self, what):
        """The dice of this decision."""
        if what not in self.dice:
            seed, _ = self.genes.get(what, (self.seed, 0))
            self.dice[what] = Random(f"{seed} {what}")
        return self.dice[what]

    def moment(self, what, scale):
        """Near the common burst: often at it, else up to `scale` off."""
        random = self.of(what)
        _, nudge = self.genes.get(what, (0, 0))
        off = random.choice((0, 0, 0, 0.1, 0.3, 1)) * scale
        return max(0, self.burst + nudge + int(random.uniform(-off, off)))

    def uniform(self, below):
        return int(self.chance() * below)

    def tie(self):
        return 0 if self.calm else self.chance()

    def yields(self):
        return self.chance() < self.eager

    def begin(self, horizon):
        self.burst = int(self.late * horizon)

    def releases(self, thread, arrival, horizon):
        random = self.of(("source", thread))
        kind = random.random()
        distance = max(1, arrival.least_distance(2))
        moment = self.moment(("source", thread), distance)

        def uniform(below):
            return int(random.random() * below)

        if kind < 0.7:
            return releases.aligned(arrival, moment, horizon, uniform)
        if kind < 0.8:
            return releases.dense(arrival, uniform(distance), horizon)
        return releases.wild(arrival, uniform(distance), horizon, uniform)

    def habit(self, what):
        if what not in self.habits:
            random = self.of(what)
            habit = "worst"
            if random.random() >= self.bias:
                habit = random.choice(self.HABITS)
            turn = self.moment(what, random.choice((10, 100, 1000)))
            self.habits[what] = (habit, turn, random.random)
        return self.habits[what]

    def cost(self, what, best, worst, now):
        if best == worst:
            return worst
        habit, turn, chance = self.habit(what)
        if habit == "random":
            return best + int(chance() * (worst - best + 1))
        if habit == "either":
            return worst if chance() < 0.5 else best
        if habit == "worst then best":
            return worst if now < turn else best
        if habit == "best then worst":
            return best if now < turn else worst
        return worst if habit == "worst" else best

    delay = cost

    def point(self, thread, low, high, now):
        return self.cost(("point", thread), low, high, now)

    def readers(self, stream, names):
        habit, _, _ = self.habit(("readers", stream))
        names = list(names)
        if habit == "best":
            names.reverse()
        elif habit == "random":
            self.of(("readers", stream)).shuffle(names)
        return names

    def reservations(self, core, budgets):
        random = self.of(("reservations", core))
        answer = []
        for budget, period in budgets:
            habit = random.choice(("gap", "gap", "late", "random", "either"))
            turn = self.moment(("reservations", core), period)
            phase = turn - budget if habit == "gap" else random.randrange(period)
            answer.append((phase, habit, turn))
        return answer
