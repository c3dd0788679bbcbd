// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"
#include "widths.hpp"

namespace ik {
extern const Width kWidth2 = {2, &search<2>};
}
