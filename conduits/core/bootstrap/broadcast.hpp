// SPDX-License-Identifier: BSD-3-Clause
// Text of one rank for all of them, over a bootstrap's collectives. Set-up time, main thread.
#pragma once
#include <string>

#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr {

// Collective: returns the text that `root` passes, of any length. Other ranks' texts are ignored; `root` must
// be the same on all ranks.
std::string broadcast(Bootstrap& bootstrap, Rank root, const std::string& text);

}  // namespace upcr
