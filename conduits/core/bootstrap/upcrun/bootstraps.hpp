// SPDX-License-Identifier: BSD-3-Clause
// The ways of starting a job that make_bootstrap() chooses from. Private to conduits/core/bootstrap.
#pragma once
#include <memory>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcr {

// Started by upcrun: joins the job over the inherited socket.
std::unique_ptr<Bootstrap> make_fork_bootstrap(const wire::JobVariable& variable);
// No launcher: a job of one process.
std::unique_ptr<Bootstrap> make_singleton_bootstrap();
// Replaces this process by `upcrun -n threads [--pthreads k]` of itself. pthreads 0: not given.
[[noreturn]] void relaunch(unsigned threads, unsigned pthreads, char** argv);

}  // namespace upcr
