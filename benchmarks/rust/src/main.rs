//! Times the crate `response-time-analysis` on a fixed-priority chain system read from a file.
//!
//! Usage: `peer SYSTEM.json SECONDS`; prints a JSON object with the bounds and the median time.

mod global;
mod shifted;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use global::{Analysis, Method};

#[derive(Deserialize)]
pub struct Task {
    pub core: usize,
    pub priority: u64,
    pub wcet: u64,
    pub bcet: u64,
    pub period: u64,
    pub after: i64,
}

#[derive(Deserialize)]
struct Input {
    tasks: Vec<Task>,
}

/// Nanoseconds of the median run, how many runs there were, and the latency bound of each task.
#[derive(Serialize)]
struct Measured {
    time_ns: u64,
    runs: usize,
    analysed: usize,
    latency: Vec<Option<u64>>,
}

#[derive(Serialize)]
struct Output {
    source: Measured,
    local: Measured,
}

fn measure(tasks: &[Task], method: Method, budget: Duration) -> Measured {
    let mut times = Vec::new();
    let started = Instant::now();
    loop {
        let mut analysis = Analysis::new(tasks, method);
        let begin = Instant::now();
        analysis.run();
        times.push(begin.elapsed().as_nanos() as u64);
        if times.len() >= 3 && started.elapsed() > budget {
            times.sort_unstable();
            return Measured {
                time_ns: times[times.len() / 2],
                runs: times.len(),
                analysed: analysis.analysed,
                latency: analysis.latency,
            };
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&arguments[1]).expect("a readable file");
    let input: Input = serde_json::from_str(&text).expect("a system of tasks");
    let budget = Duration::from_secs_f64(arguments[2].parse().expect("seconds"));
    let output = Output {
        source: measure(&input.tasks, Method::FromSource, budget),
        local: measure(&input.tasks, Method::FromArrival, budget),
    };
    println!("{}", serde_json::to_string(&output).expect("JSON"));
}
