"""Why something has no bound, and what to do about it: every reason that there is."""

from __future__ import annotations

import re
from typing import NewType

from ddsrta.base.frozen import frozen

_LED = re.compile(r"(?:[^:;]* (?:has no|without) bound: )*")
Because = NewType("Because", str)  # a reason with its remedy: only this file makes them


@frozen
class Reason:
    """What is wrong and what helps, with places for names.

    >>> print(CALLED_OFF.of())
    the time limit ended the analysis; give it more time, or none
    """

    says: str
    remedy: str

    def of(self, **names: object) -> Because:
        """In words, of these things."""
        return Because(f"{self.says.format(**names)}; {self.remedy.format(**names)}")

    def made(self, because: Because) -> bool:
        """Whether that is this reason, whose remedy is a text of its own without names.

        >>> TOO_LONG.made(CALLED_OFF.of()), CALLED_OFF.made(CALLED_OFF.of())
        (False, True)
        """
        return because.endswith(f"; {self.remedy}")


def leads(thing: str, because: Because) -> Because:
    """The reason of a thing is that of another.

    >>> print(leads("callback plan has no bound", CALLED_OFF.of()))
    callback plan has no bound: the time limit ended the analysis; give it more time, or none
    """
    return Because(f"{thing}: {because}")


def root(because: str) -> str:
    """The reason behind a reason: that of what leads to it.

    >>> root(leads("callback plan has no bound", CALLED_OFF.of()))
    'the time limit ended the analysis; give it more time, or none'
    """
    return because[len(_LED.match(because)[0]) :]  # type: ignore[index]


_GIVE_ROOM = "give it more room"
_WANTS_PERIOD = "its source wants a period, or 'max_distance'"

# What has more work than time
OVERCOMMITTED = Reason(
    "the reservations on core {core} add up to {load} of it",
    "make their budgets smaller, or their periods longer",
)
OVERLOADED = Reason("{what}", "move work elsewhere, or make it rarer")
NO_SHARE = Reason(
    "{what}",
    "move work elsewhere, make it rarer, or say the 'tick' of machine {machine}: then others of "
    "SCHED_OTHER have no more than their share (lemma fair-share)",
)
LIMIT_USED_UP = Reason(
    "flow controller {controller} has to send {load} of what its limit is sure to let through each "
    "period",
    "let its 'limit' have more bytes or a shorter period, or send less through it",
)
CALLED_OFF = Reason("the time limit ended the analysis", "give it more time, or none")
TOO_LONG = Reason("its window is too long to search", "make what it waits for less, or rarer")

# What waits for itself
LIVELOCK = Reason(
    "livelock: flow controller {controller} is more urgent than publisher {publisher} on its core, "
    "and spins on the lock that is held in write()",
    "make the publisher at least as urgent, or put one of them on another core",
)
TRIES_WITHOUT_END = Reason(
    "livelock: flow controller {controller} may spin without end on a lock that is held in write(),"
    " as flow controllers keep each other's publishers from running",
    "make publishers at least as urgent as the flow controllers on their cores, or move these",
)
LOCKS = Reason(
    "waits for the locks of Fast DDS, and what holds them, need more of each other without end",
    "publish less, or less often, through this flow controller and this process",
)
SLEEPING = Reason(
    "sleeping for limits of bytes, and what is sent meanwhile, need more of each other",
    "let the 'limit' have more bytes or a shorter period, or send less through it",
)
CIRCLE = Reason(
    "no fixed point was found: each of {names} comes later for the delay of the next, in a circle "
    "that keeps growing ({cores})",
    "it ends where one of them does not wait for the next: by other priorities or cores, or known "
    "offsets. {closed}",
)
GROWING = Reason(
    "no fixed point was found: delays of stages that depend on each other keep growing ({where})",
    "other priorities or cores end that, or less work",
)
ROUNDS = Reason(
    "messages that go round delay each other, round after round, without end",
    "make 'rounds' fewer, jobs on the circle shorter, or what begins it rarer",
)
SETS_DELAY = Reason(
    "what it keeps, and what its sets delay, need more of each other without end",
    "let what the sets release be less urgent than what brings the messages, or on other cores",
)

# Synchronizers
OVERTAKEN = Reason(
    "messages of '{topic}' may overtake each other: they have no stamp",
    "let one thread after the other make them, each with one job at a time",
)
NO_STAMP = Reason(
    "messages of '{topic}' stem from jobs of several threads: they have no stamp",
    "give each source a topic of its own; with a 'queue' they are kept for a while only",
)
SAME_STAMP = Reason(
    "a job brings {count} messages of '{topic}' with the same stamp",
    "let it send one, or the others on a topic of their own",
)
NO_COMMON_SOURCE = Reason(
    "its topics have no common thread whose releases are their stamps",
    "approximate_time makes sets of messages with different stamps",
)
LOST_STAMP = Reason(
    "two releases may have the same stamp, and then one of them is lost",
    "give the source a 'min_distance', or a jitter below its period",
)
MEASURED_RATES = Reason(
    "which topic's messages make sets follows from the rates that it measures",
    "the policies 'mtd' and 'approximate_time' say when sets come",
)
SYNCHRONIZER_QUEUE = Reason(
    "its queue of {queue} may lose {what}: it needs {needed}", "enlarge its 'queue'"
)
NO_GAP = Reason("nothing bounds how long the next message of '{topic}' takes", _WANTS_PERIOD)
NO_FIRST = Reason("nothing says when the first message of '{topic}' comes", _WANTS_PERIOD)
NO_ARRIVAL = Reason(
    "nothing bounds how late a message of '{topic}' comes", "see why what sends it has no bound"
)
LOSING = Reason(
    "a full queue may lose messages of '{topic}': the next that comes may take any time", _GIVE_ROOM
)

# Joins and registers
MAY_OVERTAKE = Reason("{what}: what is older may be written last", "make them keep their order")
OTHERS_WRITE = Reason(
    "{other} writes '{topic}', too: {reader} may never sample what {writer} wrote",
    "give each its own topic",
)
OTHERS_RELEASE = Reason(
    "{mixed} has other inputs: {reader} may never sample what it made of this one",
    "give what it makes of each input a topic of its own",
)
GOES_ROUND = Reason(
    "from {source} to {target} messages go round, or come from a circle: what is older may come "
    "behind what is newer",
    "ask for the latency of a chain on which nothing samples",
)
LEFT_OUT = Reason(
    "nothing bounds how many jobs of {source} in a row leave '{topic}' out",
    "let each job send it; the latency of what is sent has a bound where nothing samples on the "
    "way",
)
LOSES_ON_THE_WAY = Reason("a full queue may lose messages of '{topic}' on the way", _GIVE_ROOM)
LOSES_PARTNERS = Reason(
    "a full queue may lose messages of '{topic}': then {name} takes others together than before, "
    "and a token may wait without bound",
    _GIVE_ROOM,
)
NO_NEXT_RELEASE = Reason(
    "nothing bounds how long the next release of {name} takes",
    "it wants a period, or 'max_distance'",
)
NO_PACE = Reason(
    "the inputs of an AND-activated thread on the path do not keep pace with each other, so a "
    "token may wait without bound{skipped}",
    "release all inputs by one thread, or by clocks of one period; or let it take the newest of "
    "each, by a timer or a synchronizer",
)
SAMPLES = Reason(
    "{what} is released by time and samples its input, so no event passes",
    "say 'constraint: data_age' or 'reaction_time'",
)

# Published analyses of executors
NOT_SERVED = Reason(
    "the demand is not served within {longest} ns", "let there be less of it, or look further"
)
GIVEN_UP = Reason(
    "the search was given up after {steps} steps", "give its 'Horizon' more, or look less far"
)
NOT_SETTLED = Reason(
    "the response times had not settled after {sweeps} sweeps", "allow more 'sweeps'"
)

# What is not said at all
REFUSED = Reason(
    "the checker refuses: {failure}", "that is a defect in ddsrta: please report it with the file"
)
PUBLISHED = Reason("the published analysis finds no bound", "'--profile busy-window' may")
PUBLISHED_REGISTER = Reason(
    "the path crosses a thread that is released by time: the published analysis has none",
    "'--profile busy-window' bounds its data age and reaction time",
)
PUBLISHED_LATENCY_ONLY = Reason(
    "the published analysis bounds the latency only", "'--profile busy-window' bounds the rest"
)
PUBLISHED_WAITS = Reason(
    "the published analysis leaves out how long a token waits at an AND: its figure is the trigger "
    "latency",
    "'--profile busy-window' bounds the wait",
)
