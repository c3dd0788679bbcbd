// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"
#include "widths.hpp"

namespace ik {
extern const Width kWidth1 = {1, &search<1>};
}
