//! Times the crate `response-time-analysis` on a fixed-priority chain system read from a file.
//!
//! Usage: `peer TASKS.txt SECONDS`; prints a JSON object with the bounds and the median time.

mod global;
mod shifted;

use std::time::{Duration, Instant};

use global::{Analysis, Method};

/// A line of the file, in this order.
pub struct Task {
    pub core: usize,
    pub priority: u64,
    pub wcet: u64,
    pub bcet: u64,
    pub period: u64,
    pub after: i64,
}

impl Task {
    fn read(line: &str) -> Task {
        let mut numbers = line.split(' ').map(|number| number.parse::<i64>().expect("a number"));
        let mut next = || numbers.next().expect("six numbers");
        Task {
            core: next() as usize,
            priority: next() as u64,
            wcet: next() as u64,
            bcet: next() as u64,
            period: next() as u64,
            after: next(),
        }
    }
}

/// Nanoseconds of the median run, how many runs there were, and the latency bound of each task.
struct Measured {
    time_ns: u64,
    runs: usize,
    analysed: usize,
    latency: Vec<Option<u64>>,
}

impl Measured {
    fn json(&self) -> String {
        let bound = |one: &Option<u64>| one.map_or("null".to_string(), |found| found.to_string());
        let latency: Vec<String> = self.latency.iter().map(bound).collect();
        format!(
            r#"{{"time_ns": {}, "runs": {}, "analysed": {}, "latency": [{}]}}"#,
            self.time_ns,
            self.runs,
            self.analysed,
            latency.join(", ")
        )
    }
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
    let tasks: Vec<Task> = text.lines().map(Task::read).collect();
    let budget = Duration::from_secs_f64(arguments[2].parse().expect("seconds"));
    let source = measure(&tasks, Method::FromSource, budget).json();
    let local = measure(&tasks, Method::FromArrival, budget).json();
    println!(r#"{{"source": {source}, "local": {local}}}"#);
}
