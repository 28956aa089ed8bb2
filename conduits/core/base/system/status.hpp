// SPDX-License-Identifier: BSD-3-Clause
// What an internal function answers. The first function that knows why something failed reports it
// (base/report/report.hpp); everyone above only passes the status on.
#pragma once
#include <cstdint>

namespace upcr {

enum class [[nodiscard]] Status : std::int8_t{
    kOk = 0,
    kInProgress = 1,     // started; a Pending says when it is done
    kNoResource = -1,    // nothing happened: poll and try again
    kNotSupported = -2,  // never will: take the other way
    kFatal = -3,         // reported already
};

using Rank = std::uint32_t;  // a process of the job, 0-based

}  // namespace upcr
