// SPDX-License-Identifier: BSD-3-Clause
// The bootstraps without a module, of which make_bootstrap() chooses. Private to conduits/core/bootstrap.
#pragma once
#include <memory>

#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcr {

// Started by upcrun: joins the job over the inherited socket.
std::unique_ptr<Bootstrap> make_fork_bootstrap(const wire::JobVariable& variable);
// Without a launcher: a job of one process.
std::unique_ptr<Bootstrap> make_singleton_bootstrap();
// Replaces this process by `upcrun -n threads [--pthreads k]` of itself, with UPCR_CONDUIT=conduit unless the
// user has set that variable. pthreads 0, conduit null: upcrun's default.
[[noreturn]] void relaunch(unsigned threads, unsigned pthreads, const char* conduit, char** argv);

}  // namespace upcr
