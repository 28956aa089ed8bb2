// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/startup/legacy_config.hpp"

#include <string_view>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"

namespace upcr {
namespace {

constexpr const char* kNoTraces =
    "of GASNet clients; without effect in programs of UPC: upcrun --stats and --trace, or upcc --inst and a GASP tool";
constexpr const char* kNoBanner =
    "accepted for compatibility, without effect: nothing is printed at start-up";
constexpr const char* kByUpcrun = "upcrun: hosts of the job, where -H and --hostfile name none";
constexpr const char* kByConduit =
    "accepted for compatibility, without effect: the conduit starts the processes";
constexpr const char* kAutomatic = "accepted for compatibility, without effect: upcr chooses by itself";

const ConfigVar kVars[] = {
    {"UPC_QUIET", ConfigType::kString, nullptr, kNoBanner},
    {"UPC_NODES", ConfigType::kString, nullptr, kByUpcrun},
    {"UPC_NODEFILE", ConfigType::kString, nullptr,
     "upcrun: a file with hosts of the job, where -H and --hostfile name none"},
    {"UPC_ABORT", ConfigType::kString, nullptr,
     "without effect: an error prints a backtrace and ends the job; UPCR_FREEZE_ON_ERROR keeps the process"},
    {"UPC_FORCETOUCH", ConfigType::kString, nullptr,
     "accepted for compatibility, without effect: memory is used on demand"},
    {"UPC_PTHREADS_MAP", ConfigType::kString, nullptr,
     "without effect: all processes have UPCR_PTHREADS UPC threads, the last one perhaps fewer"},
    {"UPC_SHARED_HEAP_SIZE_MAX", ConfigType::kString, nullptr,
     "accepted for compatibility, without effect: the memory of a shared heap is used on demand"},
    {"GASNET_TRACEFILE", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_TRACEMASK", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_TRACENODES", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_TRACELOCAL", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_TRACEFLUSH", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_STATSFILE", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_STATSMASK", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_STATSNODES", ConfigType::kString, nullptr, kNoTraces},
    {"GASNET_QUIET", ConfigType::kString, nullptr, kNoBanner},
    {"GASNET_VERBOSEENV", ConfigType::kString, nullptr,
     "without effect in programs of UPC: `upcr_info -c` prints the variables with their values"},
    {"GASNET_MAX_SEGSIZE", ConfigType::kString, nullptr,
     "accepted for compatibility, without effect in programs of UPC: UPC_SHARED_HEAP_SIZE"},
    {"GASNET_PSHM_NODES", ConfigType::kString, nullptr,
     "without effect in programs of UPC: upcrun -n, UPCR_THREADS"},
    {"GASNET_BARRIER", ConfigType::kString, nullptr, kAutomatic},
    {"GASNET_NETWORKDEPTH", ConfigType::kString, nullptr,
     "without effect: conduit ibv has UPCR_IBV_RECEIVES and UPCR_IBV_SEND_DEPTH"},
    {"GASNET_IBV_PORTS", ConfigType::kString, nullptr,
     "without effect: UPCR_IBV_PORTS, with commas between the ports"},
    {"GASNET_MPI_THREAD", ConfigType::kString, nullptr, kAutomatic},
    {"GASNET_EXITTIMEOUT", ConfigType::kString, nullptr, kAutomatic},
    {"GASNET_NO_CATCH_SIGNAL", ConfigType::kString, nullptr,
     "accepted for compatibility, without effect in programs of UPC"},
    {"GASNET_SPAWNFN", ConfigType::kString, nullptr, kByConduit},
    {"GASNET_SPAWNER", ConfigType::kString, nullptr, kByConduit},
    {"GASNET_MASTERIP", ConfigType::kString, nullptr,
     "without effect: UPCR_LAUNCH_IFACE, for all addresses of upcrun's host"},
    {"GASNET_SSH_SERVERS", ConfigType::kString, nullptr, "gasnetrun: hosts of the job, as UPC_NODES"},
    {"GASNET_SSH_NODEFILE", ConfigType::kString, nullptr, "gasnetrun: a file with hosts, as UPC_NODEFILE"},
    {"GASNET_NODEFILE", ConfigType::kString, nullptr, "gasnetrun: a file with hosts, as UPC_NODEFILE"},
    {"GASNET_SSH_CMD", ConfigType::kString, nullptr, "gasnetrun: the remote shell, as UPCRUN_RSH"},
    {"GASNET_SSH_OPTIONS", ConfigType::kString, nullptr, "gasnetrun: options of the remote shell"},
    {"GASNET_SSH_OUT_DEGREE", ConfigType::kString, nullptr, kByConduit},
    {"GASNET_SSH_REMOTE_PATH", ConfigType::kString, nullptr,
     "without effect: UPCRUN_AGENT is the path of upcrun on other hosts"},
};
ConfigTable table("compatibility", kVars);

}  // namespace

void warn_about_legacy_variables() {
  constexpr const char* kUsed[] = {"GASNET_TRACEFILE", "GASNET_STATSFILE", "UPC_PTHREADS_MAP",
                                   "GASNET_IBV_PORTS"};
  for (const ConfigVar& var : kVars)
    for (const char* name : kUsed)
      if (std::string_view(var.name) == name && config_is_set(name)) warn("%s is %s", name, var.help);
}

}  // namespace upcr
