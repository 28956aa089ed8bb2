// SPDX-License-Identifier: BSD-3-Clause
// Debug: arguments that must be the same on all members are compared, without anybody waiting for anybody.
// UPC threads, not in a handler.
#pragma once

namespace upcr {
struct Job;
}

namespace upcr::coll {

void plan_single_valued(Job& job);

}  // namespace upcr::coll
