// SPDX-License-Identifier: Apache-2.0
#include "batch_worker.hpp"
#include "widths.hpp"

namespace ik {
extern const Width kWidth1 = {1, &run_starts<1>, &work_on_batch<1>};
}
