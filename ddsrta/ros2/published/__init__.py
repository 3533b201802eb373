"""Published response-time analyses of ROS 2 executors to the letter, to reproduce their figures.

`ecrts19` (Casini et al., ECRTS 2019), `rr` and `bw` (Blaß et al., RTSS 2021). None of ddsrta's own
bounds rests on them; docs/ros2.md says what they assume and where rclcpp does otherwise.
"""

from ddsrta.ros2.published import bw, ecrts19, ecrts19_executor, rr
from ddsrta.ros2.published.arrivals import ArrivalCurve, Delayed, Never, Stream, Sum
from ddsrta.ros2.published.costs import (
    Constant,
    Cost,
    CostCurve,
    Together,
    marginal,
    multiframe,
    observed_costs,
)
from ddsrta.ros2.published.demand import Demand, Total
from ddsrta.ros2.published.executor import (
    Callback,
    EventSource,
    Executor,
    Kind,
    Polled,
    Responses,
    Timer,
)
from ddsrta.ros2.published.prefix import Prefix, observed
from ddsrta.ros2.published.search import Bound, Horizon, Unbounded
from ddsrta.ros2.published.settle import Analysis, late, settle
from ddsrta.ros2.published.supplies import BoundedDelay, Dedicated, Reserved, Supply

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
