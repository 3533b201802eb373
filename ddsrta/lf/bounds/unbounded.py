"""Why something of a federation has no bound, and what to do about it: every reason there is."""

from __future__ import annotations

from ddsrta.bounds.unbounded import Reason

# What is not given
NO_WCET = Reason("reaction {reaction} has no wcet", "measure it, and give 'wcet'")
NO_HOP = Reason(
    "no hop between {federate} and the RTI is given",
    "give 'hop' of 'rti', or its 'host' and a network both ways",
)
NO_SERVICE = Reason("no service of the RTI is given", "give 'service' of 'rti'")
NO_CLOCK_ERROR = Reason(
    "no clock error is given for the hosts {hosts}", "give each host a 'clock_error'"
)
NO_LATENCY = Reason(
    "no latency is given for {connection}, nor a network between its hosts",
    "give it a 'latency', or 'network' a row for them",
)
NO_SPACING = Reason(
    "{action} has no min_spacing: any number of its events may be waiting",
    "give it 'min_spacing', and no policy 'update', which does not keep it",
)

# What is too much to follow
MANY_MOMENTS = Reason(
    "federate {federate} has more moments than are followed",
    "give a 'min_spacing' to the actions of its loops",
)
MANY_ASKED = Reason(
    "{enclave} is asked for too many tags to follow",
    "let fewer ways lead from it, or have the same 'after'",
)
MANY_STEPS = Reason(
    "the demand of the threads has too many steps to be followed", "leave more of the core idle"
)

# What has more work than time
TAGS_OVERLOAD = Reason(
    "federate {federate} has {load} % load{grants}: its tags take more time than there is",
    "make its reactions shorter, or what triggers them rarer",
)
CYCLE_OVERLOAD = Reason(
    "the zero-delay cycle of {names} takes more time than there is ({load} %)",
    "make its reactions shorter, or what triggers them rarer",
)
HOST_OVERLOAD = Reason(
    "{where} has {load} % load{of}",
    "move a federate elsewhere, or make reactions shorter, or what triggers them rarer",
)
TOO_FEW_CORES = Reason(
    "the cores of {host} are too few for all enclaves",
    "give it more 'cores', or make reactions shorter, or what triggers them rarer",
)
CORE_THROTTLED = Reason(
    "the core has more work than time, with what throttling takes",
    "make reactions shorter, or let threads of SCHED_FIFO have more (sched_rt_runtime_us)",
)
TICK_TOO_LONG = Reason("a tick takes more than its period", "make it shorter, or the period longer")
TICKS_THROTTLED = Reason(
    "throttling leaves less time than the ticks take",
    "make ticks shorter, or let threads of SCHED_FIFO have more (sched_rt_runtime_us)",
)

# Who waits without end
AFTER_TOO_SHORT = Reason(
    "it waits for {others} in circles that take more time than 'after' gives",
    "let 'after' on them be longer, or what happens on them shorter",
)
CIRCLE = Reason(
    "the circle {circle} takes more time than 'after' gives",
    "let 'after' on it be longer, or what happens on it shorter",
)
WAITS_FOREVER = Reason(
    "{name} waits forever: {why}",
    "let its 'maxwait' be a time, or a message come at each of its tags",
)
ABSENT_FOREVER = Reason(
    "{name} has absent_after: forever, and {why}",
    "let 'absent_after' be a time, or a message come at each of its tags",
)
TARDY = Reason(
    "messages over {connection} can be tardy: what follows is bounded only without any",
    "let waits be as long as 'ddsrta lf stp' says",
)
ENCLAVES_WAIT = Reason(
    "{names} wait for each other at the same tag", "give a connection between them an 'after'"
)
EARLIER_TAGS = Reason(
    "{one} and {other} ask each other for ever earlier tags",
    "let reactions between them be 'always: true' at each tag, or put both in one enclave",
)
LATER_QUESTIONS = Reason(
    "questions of late enclaves make others ever later",
    "make reactions shorter, or what triggers them rarer",
)

# What the RTI does not promise
PHYSICAL_AND_INPUTS = Reason(
    "{name} has physical events and inputs, and may tell the RTI too much",
    "let one federate have the events, and another the inputs",
)
PHYSICAL_LEFT_OUT = Reason(
    "what {name} tells the RTI leaves out its physical connections",
    "let these be logical ones, with an 'after'",
)
PHYSICAL_KINDS = Reason(
    "{name} has several kinds of physical events", "give each kind a federate of its own"
)
EMPTY_EVENTS = Reason(
    "empty events of {name} may pile up, each with its overhead",
    "measure how late grants come behind it",
)
PROVISIONAL_GRANTS = Reason(
    "PTAGs of {cycle} do not wait for who is upstream of others of them, or in another cycle",
    "give a connection of each cycle an 'after', or let all of it have the same upstream",
)
KEPT_BACK = Reason(
    "{name} may keep back NETs while it has a grant", "'dnet: false' of 'rti' does not"
)

# What is not modelled
CYCLE_NOT_MODELLED = Reason(
    "the zero-delay cycle of {names} is not modelled, because {why}",
    "an 'after' on one of its connections would break it",
)
PINS_SHARED = Reason(
    "workers of {names} share core {core} of {host}, on which they are pinned: not modelled",
    "pin each to a core of its own, or none",
)
PINS_CROWDED = Reason(
    "{name} is pinned on a core of {host}, which has more workers than cores: not modelled",
    "pin none, or give it as many 'cores' as workers",
)
ENCLAVES_RECEIVE = Reason(
    "{federate} has enclaves and gets messages of other federates: not modelled",
    "let what gets them be a federate without enclaves",
)
ENCLAVES_TALK = Reason(
    "the enclaves {one} and {other} exchange messages: not modelled here",
    "'ddsrta lf enclaves' bounds what they wait for each other",
)
PHYSICAL_ENCLAVE = Reason(
    "{name} has physical events, and how the runtime for C lets others wait for it is not modelled",
    "put those that get its messages into the same enclave",
)
PARTED = Reason(
    "{federate} has enclaves: how they wait for each other is not modelled here, and because of "
    "them the runtime for C may run a reaction twice at a tag",
    "see 'ddsrta lf enclaves', or take them away",
)
EACH_OVERHEAD = Reason(
    "{federate} has enclaves, each of which takes 'overhead' at its own tags and at empty ones: "
    "not modelled here",
    "see 'ddsrta lf enclaves', or take them away",
)
RUNS_AGAIN = Reason(
    "{reaction} may run twice at a tag: the runtime for C may run it for {trigger} before the "
    "message of another enclave is there, and again with it",
    "put another reaction before it in its reactor, or let {trigger} trigger one of its own",
)
WRONG_UPSTREAM = Reason(
    "{name} gets messages of {names}: the runtime for C lets it wait for the first enclave that "
    "the compiler names, and not for the others",
    "put those into one enclave, or lead their messages through one",
)
WORKERS_ON_CORE = Reason(
    "{name} has several workers on one core: not modelled", "give it one worker, or pin it nowhere"
)
WORKERS_OF_DEADLINE = Reason(
    "{name} has several workers: SCHED_DEADLINE is modelled for one",
    "give it one, or ask for 'fifo' or 'deadline-monotonic'",
)
WORKERS_THROTTLED = Reason(
    "{name} has several workers, and throttling may set in: not modelled",
    "give it one, or let threads of SCHED_FIFO have more (sched_rt_runtime_us)",
)
LINUX_RECEIVES = Reason(
    "{name} waits for messages of others: not modelled for threads of Linux",
    "'np' and 'gedf-np' bound it",
)
UP_TO_LINUX = Reason(
    "host {host} has fewer cores ({cores}) than workers ({workers}): which of them runs is up to "
    "Linux",
    "give it fewer workers, or ask for 'fifo', 'deadline-monotonic' or 'edf'",
)
NO_CORE = Reason(
    "host {host} has {cores} cores for {threads} threads", "say on which 'core' {name} runs"
)
TAGS_OF_KINDS = Reason(
    "{name} has tags of several kinds, not all of timers: not modelled under SCHED_DEADLINE",
    "ask for 'fifo' or 'deadline-monotonic'",
)

# What SCHED_DEADLINE does not take
DEADLINE_REFUSES = Reason(
    "{name} needs {work} of SCHED_DEADLINE at a tag, its deadline is {deadline}: refused",
    "make its reactions shorter, or their deadlines longer",
)
DEADLINE_WOKEN = Reason(
    "'{action}' wakes {name} before its tags, and {name} has a deadline below its period: "
    "SCHED_DEADLINE lets it wait then",
    "leave its 'min_delay' or 'after' out, or ask for 'fifo' or 'deadline-monotonic'",
)
DEADLINE_TOO_OFTEN = Reason(
    "tags of {name} can be {gap} apart: SCHED_DEADLINE takes no period below {least}",
    "make what triggers it rarer, or ask for 'fifo' or 'deadline-monotonic'",
)
DEADLINE_ADMITS = Reason(
    "the threads ask for {share} % of the core, SCHED_DEADLINE admits {most} %",
    "make reactions shorter, or what triggers them rarer, or move one to another core",
)
DEADLINE_DEMAND = Reason(
    "{what}", "make reactions shorter, or their deadlines longer, or move one to another core"
)

# Ways of chains
NO_WAY = Reason(
    "no event of the first reaction reaches the last",
    "see what is missing of 'effects', 'triggers' and 'connections' between them",
)
NEW_TAG = Reason(
    "{connection} gives a new tag", "let the chain end before it, and another begin behind it"
)
ANY_TIME = Reason(
    "action {action} can add any time to a tag",
    "let the chain end before it, and another begin behind it",
)
ANY_TIMES = Reason(
    "events can go round any number of times: {names}", "let the chain leave out what goes round"
)
