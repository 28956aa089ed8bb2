// SPDX-License-Identifier: BSD-3-Clause
// The result of an internal function. The first function that knows why something failed reports it
// (base/report/error.hpp); its callers only pass the status on.
#pragma once
#include <cstdint>

namespace upcr {

enum class [[nodiscard]] Status : std::int8_t{
    kOk = 0,
    kInProgress = 1,     // started; a Pending says when it is done
    kNoResource = -1,    // nothing happened: poll and try again
    kNotSupported = -2,  // and never will be: use the other path
    kFatal = -3,         // the error has been reported
};

using Rank = std::uint32_t;  // a process of the job, 0-based

}  // namespace upcr
