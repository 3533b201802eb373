"""The published analysis to the letter, so that its figures can be reproduced.

Sciangula, Casini, Biondi, Scordino, Di Natale: End-to-end response-time analysis of DDS-based
real-time applications, 2025. Lemmas 1-10, Theorems 11 and 12, Eqs. 1-27, Algorithm 1. It is not
sound everywhere: `unsound_rows` says what of that concerns a system, and nothing else relies on it.

Callbacks of single-threaded executors: Eq. 20 (section 5.3), which builds on Casini et al., ECRTS
2019. Where the paper is silent: a callback of several topics is one callback, and what takes each
message a part of it that waits for nothing; taking it is part of the WCET; a thread released by
time keeps its own curve; `follows` is a hop whose latency is its delay; a thread under
SCHED_DEADLINE is isolated in its reservation; equal thread priorities do not interfere.
"""

from ddsrta.papers.dds.bounds import PublishedBounds, published_bounds
from ddsrta.papers.dds.rows import queue_rows, unsound_rows

__all__ = ["PublishedBounds", "published_bounds", "queue_rows", "unsound_rows"]
