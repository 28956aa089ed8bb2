// SPDX-License-Identifier: BSD-3-Clause
// Debug: arguments that must be the same on all members are compared; no member waits for another. UPC
// threads, not in a handler.
#pragma once

namespace upcr {
class AmEngine;
struct Job;
}  // namespace upcr

namespace upcr::coll {

void plan_single_valued(Job& job);
void register_single_valued(AmEngine& engine);  // the handlers

}  // namespace upcr::coll
