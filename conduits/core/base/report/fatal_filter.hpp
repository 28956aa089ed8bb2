// SPDX-License-Identifier: BSD-3-Clause
// Fatal errors that every process of a job finds are printed by one of them: the filter decides which.
#pragma once
#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// fatal() and its like call `prints` before they print; false: another process prints the error. This one
// then ends with the job, or after ten seconds, but not before the job when a fatal error waits for a
// debugger (UPCR_FREEZE_ON_ERROR). Null: every process prints.
UPCR_MODULE_API void set_fatal_filter(bool (*prints)());
// Asked by the process that prints, after the error: how many others have left it to this one. It may wait
// for some moments. Both functions are called for fatal signals too, so they must be async-signal-safe.
void set_fatal_count(unsigned (*others)());

// Called after a fatal error, when the job's end is under way. A process that has printed an error for others
// stays a second longer (set_linger), until they have ended, because its end allows them to print the error,
// too. Returns at once in all other processes. Async-signal-safe.
UPCR_MODULE_API void linger_after_fatal() noexcept;
void set_linger(long ms);

}  // namespace upcr
