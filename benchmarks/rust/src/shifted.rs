//! The more urgent tasks of a core, seen from a clock that started before the busy window.

use response_time_analysis::arrival::Sporadic;
use response_time_analysis::demand::{RequestBound, RBF};
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;

pub type TaskRbf = RBF<Sporadic, Scalar>;

/// Demand of `tasks` in the first `delta` after the clock's start, `lead` before the window opens.
pub struct Shifted<'a> {
    pub tasks: &'a [TaskRbf],
    pub lead: Duration,
}

impl RequestBound for Shifted<'_> {
    fn service_needed(&self, delta: Duration) -> Service {
        let in_window = delta.saturating_sub(self.lead);
        self.tasks.iter().map(|task| task.service_needed(in_window)).sum()
    }

    fn least_wcet_in_interval(&self, _delta: Duration) -> Service {
        unimplemented!("fixed-priority analyses do not ask")
    }

    fn steps_iter<'a>(&'a self) -> Box<dyn Iterator<Item = Duration> + 'a> {
        unimplemented!("fixed-priority analyses ask the task under analysis only")
    }

    fn job_cost_iter<'a>(&'a self, _delta: Duration) -> Box<dyn Iterator<Item = Service> + 'a> {
        unimplemented!("service_needed answers without it")
    }
}
