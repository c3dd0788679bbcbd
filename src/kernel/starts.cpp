// SPDX-License-Identifier: Apache-2.0
#include "starts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "trigonometry.hpp"

namespace ik {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A slider without limits, or with a range above the first, is sampled so far to each side of the
// seed.
constexpr double kLongSlider_m = 100.0;
constexpr double kSliderReach_m = 1.0;
// The inexactness of an answer that ends on its bound is no reason for a turn (HAIR in limits.py).
constexpr double kHair_rad = 5e-7;
// Every so many starts stay near the seed: an answer beside it may have a small basin of its own,
// and is the one that is wanted most.
constexpr int kNearEvery = 8;
constexpr double kNearShare = 0.1;  // of the way from the seed to where the start would be

// The first primes, without those whose roots come so close to simple fractions, of a whole or of
// each other, that one joint or two joints less than eight places apart would leave gaps.
constexpr int kPrimes[] = {
    2,    3,    5,    7,    11,   23,   29,   31,   67,   127,  157,  193,  227,  337,  367,  409,
    431,  433,  457,  461,  479,  509,  521,  523,  607,  613,  617,  859,  907,  937,  997,  1033,
    1181, 1187, 1213, 1279, 1361, 1439, 1471, 1531, 1543, 1621, 1637, 1663, 1667, 1697, 1759, 1789,
    1861, 1879, 1889, 1913, 1987, 1997, 2083, 2089, 2099, 2221, 2267, 2281, 2293, 2297, 2357, 2411};
static_assert(sizeof kPrimes / sizeof *kPrimes == kMostJoints);

const std::array<double, kMostJoints> kSteps = [] {
  std::array<double, kMostJoints> steps;
  for (int j = 0; j < kMostJoints; ++j) {
    const double root = std::sqrt(kPrimes[j]);
    steps[j] = root - rounded_down(root);
  }
  return steps;
}();

[[noreturn]] void refuse(int variable, const char* reason) {
  throw std::invalid_argument("limits of variable " + std::to_string(variable) + ": " + reason);
}

}  // namespace

Limits Limits::from(const Chain& chain, const double* lower, const double* upper) {
  Limits limits;
  limits.variables = chain.variables;
  for (int j = 0; j < chain.variables; ++j) {
    if (!(lower[j] <= upper[j])) refuse(j, "lower is not below or equal to upper");
    if (!(lower[j] <= kLargestPosition && upper[j] >= -kLargestPosition)) {
      refuse(j, "lower and upper are both beyond 1e6 rad or m");
    }
    limits.lower[j] = lower[j];
    limits.upper[j] = upper[j];
    limits.turns_freely[j] = chain.periodic[j] && upper[j] - lower[j] >= kTwoPi;
    limits.solve_lower[j] = limits.turns_freely[j] ? -kInfinity : lower[j];
    limits.solve_upper[j] = limits.turns_freely[j] ? kInfinity : upper[j];
  }
  return limits;
}

Starts::Starts(const Chain& chain, const Limits& limits, const double* seed)
    : chain_(chain), limits_(limits) {
  for (int j = 0; j < chain.variables; ++j) {
    const double lower = limits.lower[j], upper = limits.upper[j];
    const double inside = std::clamp(seed[j], lower, upper);
    seed_[j] = seed[j];
    const bool slides = chain.prismatic[j];
    const double reach = slides ? kSliderReach_m : kPi;
    const bool endless = !(upper - lower < (slides ? kLongSlider_m : kTwoPi));
    if (limits.turns_freely[j]) {
      first_[j] = seed[j] - kTwoPi * rounded(seed[j] / kTwoPi);
      low_[j] = first_[j] - kPi;
      range_[j] = kTwoPi;
    } else {
      first_[j] = inside;
      low_[j] = endless ? std::max(lower, inside - reach) : lower;
      range_[j] = (endless ? std::min(upper, inside + reach) : upper) - low_[j];
    }
  }
}

void Starts::start(int k, double* q) const {
  if (k == 0) {
    std::copy(first_, first_ + chain_.variables, q);
    return;
  }
  for (int j = 0; j < chain_.variables; ++j) {
    const double u = 0.5 + k * kSteps[j];
    q[j] = low_[j] + (u - rounded_down(u)) * range_[j];
    if (k % kNearEvery == 0) q[j] = first_[j] + kNearShare * (q[j] - first_[j]);
  }
}

bool Starts::bring_home(double* q) const {
  bool moved = false;
  for (int j = 0; j < chain_.variables; ++j) {
    const double lower = limits_.lower[j], upper = limits_.upper[j];
    if (limits_.turns_freely[j]) {
      double turns = rounded((seed_[j] - q[j]) / kTwoPi);
      turns = std::min(turns, rounded_down((upper + kHair_rad - q[j]) / kTwoPi));
      turns = std::max(turns, rounded_up((lower - kHair_rad - q[j]) / kTwoPi));
      q[j] += turns * kTwoPi;
    }
    const double inside = std::clamp(q[j], lower, upper);
    moved = moved || inside != q[j];
    q[j] = inside;
  }
  return moved;
}

}  // namespace ik
