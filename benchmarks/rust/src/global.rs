//! Holistic iteration: each task's release jitter is what the latency of its predecessor varies by.

use response_time_analysis::arrival::Sporadic;
use response_time_analysis::fixed_priority::{floating_nonpreemptive, fully_preemptive};
use response_time_analysis::time::{Duration, Service};
use response_time_analysis::wcet::Scalar;

use crate::shifted::{Shifted, TaskRbf};
use crate::Task;

#[derive(Clone, Copy)]
pub enum Method {
    /// Latency is measured from the source event (Tindell and Clark; MAST).
    FromSource,
    /// Latency is the jitter plus the response time from the arrival: simpler, never lower.
    FromArrival,
}

const LIMIT: u64 = 1 << 60;

pub struct Analysis<'a> {
    tasks: &'a [Task],
    method: Method,
    /// Tasks of each core, the most urgent first, and their request bounds in the same order.
    cores: Vec<Vec<usize>>,
    rbfs: Vec<Vec<TaskRbf>>,
    /// Core and rank there of each task; who follows it; least latency up to its release.
    place: Vec<(usize, usize)>,
    follower: Vec<Option<usize>>,
    best: Vec<u64>,
    dirty: Vec<bool>,
    pub latency: Vec<Option<u64>>,
    pub analysed: usize,
}

fn rbf(task: &Task) -> TaskRbf {
    let arrivals = Sporadic::new_zero_jitter(Duration::from(task.period));
    TaskRbf::new(arrivals, Scalar::new(Service::from(task.wcet)))
}

impl<'a> Analysis<'a> {
    pub fn new(tasks: &'a [Task], method: Method) -> Self {
        let count = tasks.iter().map(|task| task.core + 1).max().unwrap_or(0);
        let mut cores = vec![Vec::new(); count];
        for (index, task) in tasks.iter().enumerate() {
            cores[task.core].push(index);
        }
        let mut place = vec![(0, 0); tasks.len()];
        for (core, members) in cores.iter_mut().enumerate() {
            members.sort_by_key(|&index| std::cmp::Reverse(tasks[index].priority));
            for (rank, &index) in members.iter().enumerate() {
                place[index] = (core, rank);
            }
        }
        let mut follower = vec![None; tasks.len()];
        let mut best = vec![0; tasks.len()];
        for (index, task) in tasks.iter().enumerate() {
            if let Ok(before) = usize::try_from(task.after) {
                follower[before] = Some(index); // the file lists predecessors first
                best[index] = best[before] + tasks[before].bcet;
            }
        }
        let of_core = |members: &Vec<usize>| members.iter().map(|&i| rbf(&tasks[i])).collect();
        let rbfs = cores.iter().map(of_core).collect();
        Analysis {
            tasks,
            method,
            cores,
            rbfs,
            place,
            follower,
            best,
            dirty: vec![true; tasks.len()],
            latency: vec![Some(0); tasks.len()],
            analysed: 0,
        }
    }

    /// Passes over the tasks whose inputs changed, until a pass changes nothing.
    pub fn run(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for index in 0..self.tasks.len() {
                if std::mem::take(&mut self.dirty[index]) {
                    changed |= self.update(index);
                }
            }
        }
    }

    fn update(&mut self, index: usize) -> bool {
        self.analysed += 1;
        let latency = self.bound(index);
        if latency == self.latency[index] {
            return false;
        }
        self.latency[index] = latency;
        if let (Some(next), Some(bound)) = (self.follower[index], latency) {
            let (core, rank) = self.place[next];
            let jitter = Duration::from(bound.saturating_sub(self.best[next]));
            self.rbfs[core][rank].arrival_bound.jitter = jitter;
            for &behind in &self.cores[core][rank..] {
                self.dirty[behind] = true;
            }
        }
        true
    }

    fn bound(&self, index: usize) -> Option<u64> {
        let (core, rank) = self.place[index];
        let (own, urgent) = (&self.rbfs[core][rank], &self.rbfs[core][..rank]);
        let jitter = own.arrival_bound.jitter;
        let limit = Duration::from(LIMIT);
        let result = match self.method {
            Method::FromArrival => fully_preemptive::dedicated_uniproc_rta(own, urgent, limit)
                .map(|response| response + jitter),
            // The clock starts at the earliest release of the first event, `jitter` before the
            // window: that much supply is lost ("blocking"), more urgent work comes later, and
            // the task itself arrives with its period and no jitter.
            Method::FromSource => {
                let mut punctual = own.clone();
                punctual.arrival_bound.jitter = Duration::zero();
                let tua = floating_nonpreemptive::TaskUnderAnalysis {
                    rbf: &punctual,
                    blocking_bound: Service::from(jitter),
                };
                let urgent = [Shifted { tasks: urgent, lead: jitter }];
                floating_nonpreemptive::dedicated_uniproc_rta(&tua, &urgent, limit)
            }
        };
        result.ok().map(|bound| u64::from(bound) + self.best[index])
    }
}
