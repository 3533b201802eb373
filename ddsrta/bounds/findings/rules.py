"""Every rule of the findings, with its one-line meaning: the reference page is made of this."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.bounds.result import Finding, Severity
from ddsrta.models.system import System


class Rule(NamedTuple):
    """How bad it is (the worst, where that depends), what is the matter, and what to do."""

    severity: Severity
    meaning: str
    advice: str
    of_several: str = ""  # what is said once of all that it is about, before what is of each


RULES: dict[str, Rule] = {
    "livelock": Rule(
        "error",
        "a flow controller is more urgent than a publisher that uses it on the same core: it "
        "spins on the lock that the publisher holds in write(), and neither goes on",
        "give the controller at most the publisher's priority, or another core",
    ),
    "spin-across-cores": Rule(
        "note",
        "a publisher can be preempted in write() while its flow controller spins on another core, "
        "which takes time from less urgent threads there; bounds count it with 'middleware' alone",
        "make the publisher the most urgent of its core, or the controller the least of its own",
    ),
    "pool-spins": Rule(
        "warning",
        "a thread of an executor over several cores may spin in rclcpp since jazzy while "
        "a callback of a group runs on another core, which takes time from less urgent threads; "
        "bounds do not count it, and name it as an assumption",
        "put nothing less urgent on its cores, or use reentrant callbacks",
    ),
    "split-group": Rule(
        "note",
        "callbacks of one group, or of a node that name none, are in several executors: bounds "
        "count no waits between these, as rclcpp adds a group to one executor alone",
        "give those of each executor a group of their own",
    ),
    "timer-overrun": Rule(
        "warning",
        "a timer of an executor may be called when its next release is due: rclcpp skips that "
        "one, so releases may be more than a period apart, which ages and reaction times count, "
        "and the n-th message is not that of the n-th period, so one that waits for it at an AND "
        "by number has no bound",
        "let less run before it in its executor and on its core, or give it a longer period",
        "timers may be called when their next release is due; rclcpp skips what was due by then, "
        "so their n-th message is not that of the n-th period",
    ),
    "open-constraint": Rule(
        "note",
        "a deadline does not say what it is for, and something that is released by time samples on "
        "the way: then it is taken to be for the data age, which is no shorter than what a stamp "
        "of the source shows at the end; a reaction to something new takes longer",
        "say 'constraint: data_age', or 'reaction_time'",
    ),
    "shared-participant": Rule(
        "note",
        "with 'middleware', threads of a machine that name no process are taken to share the locks "
        "of one participant",
        "name the process of each",
    ),
    "unknown-write": Rule(
        "note",
        "with 'middleware', the time of write() is not given: it is taken to be that of the whole "
        "job, for which a flow controller on another core may spin",
        "measure it, and give 'write'",
    ),
    "sync-with-flow-controller": Rule(
        "error",
        "a synchronous publication names a flow controller: Fast DDS rejects such a writer",
        "publish asynchronously, or remove the flow controller",
    ),
    "priority-range": Rule(
        "error",
        "a thread priority outside 1 … 99 (1 … 255 on a partitioned core), or a topic priority "
        "outside -10 … 10, for which Fast DDS takes 10; a warning where no controller uses it",
        "choose a priority in the range",
    ),
    "priority-without-effect": Rule(
        "note",
        "topics of different priority are sent by a flow controller whose policy does not look at "
        "topic priorities, such as FIFO or ROUND_ROBIN",
        "use HIGH_PRIORITY if the order matters",
    ),
    "not-of-fastdds": Rule(
        "note",
        "a flow controller has a policy that Fast DDS does not have; its bounds are for a sender "
        "of one's own",
        "use a policy of Fast DDS, or a sender that does what docs/reference/policies.md says",
    ),
    "equal-topic-priorities": Rule(
        "note",
        "all topics of a flow controller that looks at their priorities have the same one: under "
        "HIGH_PRIORITY it works as FIFO",
        "give the urgent topics a smaller priority",
    ),
    "equal-priorities": Rule(
        "warning",
        "threads of one priority on one core: SCHED_FIFO does not preempt among them, and one that "
        "runs keeps the core while it has work",
        "give them different priorities",
    ),
    "reservation-overcommit": Rule(
        "error",
        "the reservations of threads, or the partitions, of a core add up to more than the core; "
        "a warning above 95 % of SCHED_DEADLINE, which Linux does not admit",
        "reduce budgets or move threads",
    ),
    "reservation-range": Rule(
        "warning",
        "a reservation of a thread that Linux refuses: SCHED_DEADLINE takes budgets from 1024 ns "
        "on, and periods from 100 us to 4.194304 s",
        "choose others, or let sched_deadline_period_max_us (_min_us) have other limits",
    ),
    "unserved-reservation": Rule(
        "note",
        "a thread of SCHED_DEADLINE may be released within the period of its reservation, or take "
        "more than the budget, or sleep for locks: its jobs then need not end "
        "by that period, and its bounds are those of the supply, with its worst phase",
        "give it a budget for a whole job each period, and a period of at most that of its jobs",
    ),
    "coarse-delays": Rule(
        "note",
        "a message takes the time of a row of 'delays' that is for much larger ones, at least four "
        "times its size and twice the time of the row below: its bounds are higher for that",
        "add a row for about its size, or give its 'delay'",
    ),
    "trace-arrival": Rule(
        "note",
        "the arrival curve comes from a recorded run: bounds hold while releases come no denser",
        "record the busiest conditions, or give a period",
    ),
    "unpublished-topic": Rule(
        "warning",
        "a thread subscribes to a topic that nobody publishes",
        "add the publisher, or remove the input",
    ),
    "unread-topic": Rule(
        "note",
        "a topic is published and nobody subscribes: sending it is taken to cost nothing",
        "add the subscribers, also those that only record",
    ),
    "unused": Rule(
        "note",
        "a topic, flow controller, listener or machine that nothing refers to, or a key of a "
        "topic, a publication or an executor that no policy, link or kind looks at there",
        "remove it, or correct the name that should refer to it",
    ),
    "core-load": Rule(
        "error",
        "a core is loaded above 100 % of its supply; a warning above 95 %, where real-time "
        "throttling (sched_rt_runtime_us) stops SCHED_FIFO threads",
        "move work, or make it rarer",
    ),
    "throttled-job": Rule(
        "warning",
        "a job of a SCHED_FIFO thread, or those of a core one after another, may take more than "
        "950 ms, after which real-time throttling (sched_rt_runtime_us) stops all of that class "
        "for the rest of a second; since Linux 6.12 the fair server does, where SCHED_OTHER has "
        "work",
        "set sched_rt_runtime_us to -1, since 6.12 the runtime of each fair_server (debugfs) to 0; "
        "or let it be SCHED_OTHER",
    ),
    "link-load": Rule(
        "error",
        "a shared link is loaded above 100 %, best effort left aside: the least urgent of what it "
        "sends has no bound",
        "send less, or more rarely, or over another link",
    ),
    "link-rate": Rule(
        "warning",
        "the 'rate' of a CAN bus is above 1 Mbit/s, the most at which nodes arbitrate (ISO "
        "11898-2): real frames take longer than the bounds count",
        "write the rate of the arbitration; that of the payload is the 'data_rate' of `can_fd`",
    ),
    "queue-overflow": Rule(
        "warning",
        "more messages can wait than the queue or history holds: KEEP_LAST then drops the oldest, "
        "and latencies hold only for those that arrive, which is an assumption of the result "
        "(`no-overflow`); behind it, data ages through a register and reaction times have no bound",
        "enlarge the queue or history to the backlog",
    ),
    "sample-batches": Rule(
        "warning",
        "several small samples of a writer can wait in a flow controller whose policy lets them go "
        "before what comes later, as less urgent ones under HIGH_PRIORITY or any under "
        "ROUND_ROBIN: Fast DDS sends them in one datagram, and others wait for all of it, which "
        "bounds count with 'middleware' alone",
        "publish fewer at once, or send them through another controller",
    ),
    "paths-cut": Rule(
        "error",
        "there are more paths between the ends of a chain with a deadline than its 'limit', and "
        "only the first ones are judged; a warning where it has no deadline",
        "raise its 'limit', or name the paths that matter",
    ),
    "published-lemma-10": Rule(
        "error",
        "published profile: Lemma 10 leaves out a sample that is being sent when a more urgent "
        "one arrives in a ROUND_ROBIN flow controller",
        "use the default profile",
    ),
    "published-lemma-10-pending": Rule(
        "error",
        "published profile: Lemma 10 counts the pending samples of other topics by the response "
        "time of the analysed one",
        "use the default profile",
    ),
    "published-eq-25": Rule(
        "error",
        "published profile: Eq. 25 brings one message of a job to the listener where a "
        "synchronous publication sends several",
        "use the default profile",
    ),
    "published-and-wait": Rule(
        "error",
        "published profile: Eq. 23 leaves out the wait of an AND-activated thread for its other "
        "inputs",
        "use the latency of the default profile",
    ),
    "published-synchronizer": Rule(
        "error",
        "published profile: it has no synchronizers, and matches messages by number",
        "use the default profile",
    ),
    "published-instant": Rule(
        "error",
        "published profile: its curves take every stage to last a nanosecond at least, where a "
        "best case of 0 is given",
        "use the default profile",
    ),
    "published-equal-priorities": Rule(
        "error",
        "published profile: the published analysis is for threads of unique priorities, not for "
        "those of equal priority on a core",
        "use the default profile, or different priorities",
    ),
    "published-queues": Rule(
        "error",
        "published profile: Lemmas 7 and 10 let a full queue bound what is before a message; they "
        "leave out the one that is being served, and what is lost",
        "use the default profile, or a queue that holds all that may be pending",
    ),
    "published-executors": Rule(
        "note",
        "published profile: section 5.3 is written for one executor a core, and there are more; "
        "each counts as a thread of its priority to the others",
        "give each executor a core of its own",
    ),
    "published-reservations": Rule(
        "error",
        "published profile: SCHED_DEADLINE threads take nothing from SCHED_FIFO threads of their "
        "core",
        "use the default profile",
    ),
    "unchecked": Rule(
        "error",
        "the checker did not decide within its limits of work whether the bounds hold, or failed: "
        "they stand as the analysis found them, and nothing is met",
        "split the system, or take the bounds as they are with `--allow unchecked`",
    ),
    "refuted": Rule(
        "error",
        "the checker refuses the bounds: a fault of the analysis, or of the checker; with fewer "
        "refinements it confirms them (a warning: bounds are those), or it refuses those, too: no "
        "bound stands",
        "report it, with the system and `ddsrta analyze --certificate`",
    ),
}

_HEAD = """\
# Findings

What `ddsrta` says about a configuration beside its bounds. Made from
`ddsrta/bounds/findings/rules.py` by
`python -c "from ddsrta.bounds.findings import reference; print(reference(), end='')"`.

| rule | severity | meaning | what to do |
| --- | --- | --- | --- |
"""


def finding(
    system: System,
    rule: str,
    path: tuple[str | int, ...],
    message: str,
    severity: Severity | None = None,
) -> Finding:
    """A finding of a known rule, at the place in the file where something was written."""
    return Finding(rule, severity or RULES[rule].severity, message, system.where(*path))


def reference() -> str:
    """The reference page of all rules, in Markdown.

    >>> "| `livelock` | error |" in reference()
    True
    """
    rows = (f"| `{name}` | {r.severity} | {r.meaning} | {r.advice} |" for name, r in RULES.items())
    return _HEAD + "\n".join(rows) + "\n"
