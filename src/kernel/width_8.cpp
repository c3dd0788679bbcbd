// SPDX-License-Identifier: Apache-2.0
//
// Compiled for processors with AVX-512 only; nothing here may run elsewhere. Headers with code for
// every processor come before the switch, so that none of their functions is built for this one.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "batch.hpp"
#include "closest.hpp"
#include "deadline.hpp"
#include "findings.hpp"
#include "widths.hpp"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq")
#endif

#include "batch_worker.hpp"

namespace ik {
extern const Width kWidth8 = {8, &run_starts<8>, &work_on_batch<8>};
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
