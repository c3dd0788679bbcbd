// SPDX-License-Identifier: Apache-2.0
#include "widths.hpp"

namespace ik {

extern const Width kWidth1, kWidth2, kWidth4, kWidth8;

const std::vector<Width>& usable_widths() {
  static const std::vector<Width> widths = [] {
    std::vector<Width> usable = {kWidth1, kWidth2};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) usable.push_back(kWidth4);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
      usable.push_back(kWidth8);
    }
#endif
    return usable;
  }();
  return widths;
}

const Width& widest(int most_lanes) {
  const Width* best = &usable_widths().front();
  for (const Width& width : usable_widths()) {
    if (width.lanes <= most_lanes) best = &width;
  }
  return *best;
}

}  // namespace ik
