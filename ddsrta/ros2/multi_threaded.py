"""multi_threaded: MultiThreadedExecutor of rclcpp, threads of one priority.

On one core a thread that has the processor keeps it while any callback is ready: callbacks run one
after the other. rclcpp forgets what is ready in a group that is busy, so nothing bounds how often
others come first: whatever comes before z starts. On several cores it is a pool (lemma
pool-window): callbacks of z's group exclude it, all others share the threads with it, also where
these move between the cores (lemma moving-pools).
"""

from __future__ import annotations

from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import Kind, Service
from ddsrta.ros2.one_by_one import Whichever
from ddsrta.ros2.pools import Pool


class MultiThreaded(Kind):
    """Threads on one core, or a pool."""

    name = "multi_threaded"
    of_rclcpp = True
    several_threads = True
    intra_process = True

    def service(self, executor: Described) -> Service:
        return Pool() if executor.is_pool else Whichever()

    def spins(self, executor: Described) -> bool:
        """In humble and iron, what is in a busy group is not waited for."""
        return executor.is_pool and executor.release not in ("humble", "iron")

    def keeps_wait_set(self, executor: Described) -> bool:
        """Those two releases make one for each wait."""
        return self.spins(executor)


KIND = MultiThreaded()
