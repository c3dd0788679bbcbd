// SPDX-License-Identifier: Apache-2.0
#include "batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <thread>
#include <vector>

#include "search.hpp"

namespace ik {

void Answers::set(int row, const End& end) const {
  std::copy(end.q, end.q + variables, q + static_cast<std::ptrdiff_t>(row) * variables);
  solved[row] = end.reached;
  position_m[row] = end.position_m;
  rotation_rad[row] = end.rotation_rad;
}

void Answers::count(int row, long more_iterations, int more_attempts) const {
  iterations[row] += more_iterations;
  attempts[row] += more_attempts;
}

Frame<double> Batch::T_target_first(int row) const {
  return seen_from_target(frame_from_rows(targets + 12 * static_cast<std::ptrdiff_t>(row)), chain);
}

Problem Batch::problem(const Starts& starts, const Frame<double>& T_target_first) const {
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  return {chain, task, limits, starts, T_target_first, 1, true, max_attempts, kUnlimited};
}

void solve_cloud(const Batch& batch, const Width& width, int threads) {
  std::atomic<int> next_row{0};
  const auto work = [&] { width.work_on_batch(batch, next_row); };
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < std::min(threads, batch.rows); ++i) others.emplace_back(work);
  } catch (const std::exception&) {
    // The system gives no more threads or memory: those that there are do all the work.
  }
  work();
  for (std::thread& other : others) other.join();
}

void solve_path(const Batch& batch, const Width& width) {
  std::vector<double> seed(batch.seeds, batch.seeds + batch.chain.variables);
  for (int row = 0; row < batch.rows; ++row) {
    const Starts starts(batch.chain, batch.limits, seed.data());
    const Outcome outcome = search(batch.problem(starts, batch.T_target_first(row)), width);
    const End& end = outcome.closest;
    batch.answers.set(row, end);
    batch.answers.count(row, outcome.iterations, outcome.attempts);
    if (end.reached) seed.assign(end.q, end.q + batch.chain.variables);
  }
}

}  // namespace ik
