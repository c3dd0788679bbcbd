// SPDX-License-Identifier: Apache-2.0
//
// Many targets: each lane works on one of them, start after start, and then takes the next. Every
// answer is the one that search() finds, whatever lane or thread it came from.
#pragma once

#include <atomic>
#include <optional>

#include "batch.hpp"
#include "closest.hpp"
#include "run_starts.hpp"

namespace ik {

// Brings targets of a batch through the lanes of one thread, until there are no more.
template <int W>
class BatchWorker {
 public:
  BatchWorker(const Batch& batch, std::atomic<int>& next_row)
      : batch_(batch), next_row_(next_row), courses_(batch.chain, batch.task, batch.limits) {}

  void run() {
    unsigned free_lanes = (1u << W) - 1;
    for (;;) {
      for (int i = 0; free_lanes >> i; ++i) {
        if (free_lanes >> i & 1) begin_next(i);
      }
      if (courses_.running() == 0) return;
      free_lanes = courses_.measure();
      for (int i = 0; free_lanes >> i; ++i) {
        if (free_lanes >> i & 1) note_end(i);
      }
      courses_.step();
    }
  }

 private:
  struct Job {
    int row;
    int start = 0;
    bool open = false;  // whether another start has to be made
    End closest;
    Frame<double> T_target_first;
    std::optional<Starts> starts;
  };

  // The next start of the lane's target, or else the next target.
  void begin_next(int i) {
    Job& job = jobs_[i];
    if (!job.open && !take_row(job)) return;
    double q[kMostJoints];
    job.starts->start(job.start, q);
    courses_.begin(i, q, job.starts->seed(), job.T_target_first);
  }

  bool take_row(Job& job) {
    job.row = next_row_.fetch_add(1, std::memory_order_relaxed);
    if (job.row >= batch_.rows) return false;
    job.open = true;
    job.start = 0;
    job.T_target_first = batch_.T_target_first(job.row);
    job.starts.emplace(batch_.chain, batch_.limits, batch_.seed(job.row));
    return true;
  }

  void note_end(int i) {
    Job& job = jobs_[i];
    const Problem problem = batch_.problem(*job.starts, job.T_target_first);
    End end;
    read_end(courses_, i, problem, end);
    batch_.answers.count(job.row, end.iterations, 1);
    if (end.reached || job.start == 0 || end.weighted_error() < job.closest.weighted_error()) {
      job.closest = end;
    }
    ++job.start;
    job.open = !end.reached && job.start < batch_.max_attempts;
    if (job.open) return;
    if (!end.reached) come_closer(problem, job.closest);
    batch_.answers.set(job.row, job.closest);
  }

  const Batch& batch_;
  std::atomic<int>& next_row_;
  Courses<W> courses_;
  Job jobs_[W];
};

template <int W>
void work_on_batch(const Batch& batch, std::atomic<int>& next_row) {
  BatchWorker<W>(batch, next_row).run();
}

}  // namespace ik
