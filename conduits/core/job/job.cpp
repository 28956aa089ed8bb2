// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/job/job.hpp"

namespace upcr {

Job* the_job = nullptr;
Job& make_job() noexcept { return *(the_job = new Job); }

}  // namespace upcr
