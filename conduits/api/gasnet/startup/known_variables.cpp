// SPDX-License-Identifier: BSD-3-Clause
// The names of GASNet's variables, so that a misspelt one draws "did you mean". Those that this library reads
// are read by gasnett_getenv(), which prints them for GASNET_VERBOSEENV; upcrun, as gasnetrun, reads those of
// SSH; the others are of GASNet's own conduits, without effect.
#include "conduits/core/base/config/config.hpp"

namespace upcr::gasnet {
namespace {

constexpr ConfigVar known(const char* name) {
  return {name, ConfigType::kString, nullptr, "of GASNet clients: docs/reference/gasnet.md"};
}

const ConfigVar kNames[] = {
    known("GASNET_BACKTRACE_NODES"),
    known("GASNET_BACKTRACE_SIGNAL"),
    known("GASNET_BACKTRACE_TYPE"),
    known("GASNET_BARRIER"),
    known("GASNET_BLOCKUNTIL"),
    known("GASNET_CSPAWN_CMD"),
    known("GASNET_DISABLE_ARGDECODE"),
    known("GASNET_DISABLE_ENVDECODE"),
    known("GASNET_DISABLE_MUNMAP"),
    known("GASNET_EXITTIMEOUT"),
    known("GASNET_EXITTIMEOUT_FACTOR"),
    known("GASNET_EXITTIMEOUT_MAX"),
    known("GASNET_EXITTIMEOUT_MIN"),
    known("GASNET_FREEZE_SIGNAL"),
    known("GASNET_FS_SYNC"),
    known("GASNET_IBV_PORTS"),
    known("GASNET_MALLOCFILE"),
    known("GASNET_MALLOCNODES"),
    known("GASNET_MASTERIP"),
    known("GASNET_MAXIMIZE_RLIMIT_CPU"),
    known("GASNET_MAX_SEGSIZE"),
    known("GASNET_MAX_THREADS"),
    known("GASNET_MPI_THREAD"),
    known("GASNET_NETWORKDEPTH"),
    known("GASNET_NODEFILE"),
    known("GASNET_NO_CATCH_SIGNAL"),
    known("GASNET_PSHM_BARRIER_HIER"),
    known("GASNET_PSHM_BARRIER_RADIX"),
    known("GASNET_PSHM_NETWORK_DEPTH"),
    known("GASNET_PSHM_NODES"),
    known("GASNET_QUIET"),
    known("GASNET_SPAWNER"),
    known("GASNET_SPAWNFN"),
    known("GASNET_SSH_CMD"),
    known("GASNET_SSH_NODEFILE"),
    known("GASNET_SSH_OPTIONS"),
    known("GASNET_SSH_OUT_DEGREE"),
    known("GASNET_SSH_REMOTE_PATH"),
    known("GASNET_SSH_SERVERS"),
    known("GASNET_STATSFILE"),
    known("GASNET_STATSMASK"),
    known("GASNET_STATSNODES"),
    known("GASNET_TEST_POLITE_SYNC"),
    known("GASNET_TMPDIR"),
    known("GASNET_TRACEFILE"),
    known("GASNET_TRACEFLUSH"),
    known("GASNET_TRACELOCAL"),
    known("GASNET_TRACEMASK"),
    known("GASNET_TRACENODES"),
    known("GASNET_VERBOSEENV"),
    known("GASNET_VIS_AMPIPE"),
    known("GASNET_VIS_MAXCHUNK"),
    known("GASNET_VIS_REMOTECONTIG"),
};
ConfigTable table("gasnet", kNames);

}  // namespace
}  // namespace upcr::gasnet
