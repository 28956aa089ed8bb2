// SPDX-License-Identifier: BSD-3-Clause
// The environment variables and the log component of the mpi conduit, in the library rather than in the
// module: documentation and checks know them before the module is loaded, and where none is built.
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_MPI_RMA", ConfigType::kChoice, "auto",
     "puts and gets through MPI windows: auto measures them against messages at start-up, by size, and where "
     "threads share CPUs uses them unless messages are clearly faster; yes: wherever a window can; no: messages",
     "auto|yes|no"},
    {"UPCR_MPI_PIECE", ConfigType::kSize, "1GB",
     "large transfers travel as MPI messages of at most so much, 1 KB to 1 GB; the same for all processes"},
};
ConfigTable table("mpi", kVars);
LogComponent log_mpi("mpi");

}  // namespace
}  // namespace upcr
