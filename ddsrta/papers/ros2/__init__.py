"""Published response-time analyses of ROS 2 executors to the letter, to reproduce their figures.

`ecrts19` (Casini et al., ECRTS 2019), `rr` and `bw` (Blaß et al., RTSS 2021). None of ddsrta's own
bounds rests on them; docs/ros2.md says what they assume and where rclcpp does otherwise.
"""

from ddsrta.papers.ros2 import bw, ecrts19, ecrts19_executor, rr
from ddsrta.papers.ros2.arrivals import ArrivalCurve, Delayed, Never, Stream, Sum
from ddsrta.papers.ros2.costs import (
    Constant,
    Cost,
    CostCurve,
    Together,
    marginal,
    multiframe,
    observed_costs,
)
from ddsrta.papers.ros2.demand import Demand, Total
from ddsrta.papers.ros2.executor import (
    Callback,
    EventSource,
    Executor,
    Kind,
    Polled,
    Responses,
    Timer,
)
from ddsrta.papers.ros2.prefix import Prefix, observed
from ddsrta.papers.ros2.search import Bound, Horizon, Unbounded
from ddsrta.papers.ros2.settle import Analysis, late, settle
from ddsrta.papers.ros2.supplies import BoundedDelay, Dedicated, Reserved, Supply

__all__ = [
    "Analysis",
    "ArrivalCurve",
    "Bound",
    "BoundedDelay",
    "Callback",
    "Constant",
    "Cost",
    "CostCurve",
    "Dedicated",
    "Delayed",
    "Demand",
    "EventSource",
    "Executor",
    "Horizon",
    "Kind",
    "Never",
    "Polled",
    "Prefix",
    "Reserved",
    "Responses",
    "Stream",
    "Sum",
    "Supply",
    "Timer",
    "Together",
    "Total",
    "Unbounded",
    "bw",
    "ecrts19",
    "ecrts19_executor",
    "late",
    "marginal",
    "multiframe",
    "observed",
    "observed_costs",
    "rr",
    "settle",
]
