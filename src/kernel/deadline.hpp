// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace ik {

// Looks at the clock now and then.
class Deadline {
 public:
  explicit Deadline(double time_limit_s) : began_(Clock::now()), time_limit_s_(time_limit_s) {}

  bool passed() {
    if (++rounds_ % kRoundsPerLook != 0) return false;
    return std::chrono::duration<double>(Clock::now() - began_).count() >= time_limit_s_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kRoundsPerLook = 16;  // some microseconds
  Clock::time_point began_;
  double time_limit_s_;
  unsigned rounds_ = 0;
};

}  // namespace ik
