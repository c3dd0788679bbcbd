// SPDX-License-Identifier: Apache-2.0
//
// Starts end in any order, but count in the order of their numbers: so the answer does not depend
// on how many of them ran side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace ik {

class Findings {
 public:
  explicit Findings(const Problem& problem);

  // Whether one more start could matter now.
  bool wants_start() const;
  int begun() const { return next_; }
  int begin_start();
  void add(const End& end);
  bool decided() const { return decided_; }
  bool any() const { return found_ > 0; }  // configurations
  // The time is up: count what has been found, although earlier starts are under way.
  void settle_late();
  // When nothing has been found, what lies closest is brought closer.
  Outcome take_outcome();

 private:
  enum class State : std::uint8_t { kUnderWay, kFailed, kReached };
  struct Record {
    State state;
    int iterations;
  };
  static constexpr int kWindow = 256;  // starts under way, or ended after one that is under way

  Record& record(int start) { return records_[start % kWindow]; }
  void settle(const End& latest);
  void count(const End& end);
  void keep_closest(const End& end);
  bool is_new(const double* q) const;

  const Problem& problem_;
  int next_ = 0;     // start to begin next
  int settled_ = 0;  // all starts before this one have been counted
  int found_ = 0;
  int enough_;  // starts to count at most
  bool decided_ = false;
  Record records_[kWindow];
  std::vector<End> waiting_;  // have reached the target, but an earlier start is under way
  Outcome outcome_;
};

}  // namespace ik
