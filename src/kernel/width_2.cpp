// SPDX-License-Identifier: Apache-2.0
#include "batch_worker.hpp"
#include "widths.hpp"

namespace ik {
extern const Width kWidth2 = {2, &run_starts<2>, &work_on_batch<2>};
}
