// SPDX-License-Identifier: BSD-3-Clause
// A process beside a node whose trace or statistics are written, which survives it and then writes what the
// node has left in memory that both share: kill -9 loses nothing. It sleeps until then, has a session of its
// own, ignores signals, is no child that the program's wait() finds, and holds no files but the ones it
// writes.
#pragma once
#include <array>

namespace upcr::gasnet {

// `files`: that it writes to; the standard error too is left open, so that who reads that to its end finds
// the files whole. `finish`: called in the keeper, which has a copy of this process's memory as it is now,
// after the node's end. It must take no lock and no memory. When no process can be started, a node that is
// killed loses what is buffered.
void start_keeper(const std::array<int, 2>& files, void (*finish)() noexcept) noexcept;

}  // namespace upcr::gasnet
