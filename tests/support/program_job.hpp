// SPDX-License-Identifier: BSD-3-Clause
// For programs that use conduits/core directly as processes of a job: the job that the program starts, and a
// check that names the rank.
#pragma once
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/job/job.hpp"

namespace upcr::test {

// Never destroyed: threads may use it while the process ends.
inline Job& job() {
  static Job* const one = new Job;
  return *one;
}

}  // namespace upcr::test

#define REQUIRE(cond)                                                             \
  ((cond) ? (void)0                                                               \
          : upcr::fatal("%s:%d: rank %u: '%s' does not hold", __FILE__, __LINE__, \
                        upcr::test::job().topology.rank, #cond))
