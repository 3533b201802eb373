"""The order in which a thread serves the queues of its stages.

ROUNDS: by turns, one unit of each queue that had any when the round began; ANY: whichever of the
earliest turn; POOL: whichever, with other threads, at most one unit of each group at a time;
RESERVED: the first that has enough of its share left, else the first; TIMERS: it takes no time, and
hands what is due over to another; DEADLINE: the queue whose first unit is due first.
"""

ARRIVAL, URGENCY, TURNS, ROUNDS, ANY, POOL, RESERVED, TIMERS, DEADLINE = range(9)
