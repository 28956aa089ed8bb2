// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/berkeley.hpp"

#include <algorithm>

namespace upcrun {
namespace {

using enum LegacyArgument;
using enum LegacyAction;

constexpr std::string_view kNoMasks =
    "upcr counts everything; --trace=KINDS chooses what a trace has (docs/observing.md)";
constexpr std::string_view kNoBanner = "upcr prints nothing at start-up";
constexpr std::string_view kPassedExactly = "arguments and environment reach the program as they are";
constexpr std::string_view kNoSpawner = "the conduit decides how processes are started: mpirun, ssh or fork";

/* clang-format off */
constexpr LegacyOption kOptions[] = {
    // What to run.
    {"np",                kRequired, kOption,   "-n"},
    {"N",                 kRequired, kOption,   "--hosts-used"},
    {"nodes",             kRequired, kOption,   "--hosts-used"},
    {"c",                 kRequired, kOption,   "--per-host"},
    {"cpus-per-node",     kRequired, kOption,   "--per-host"},
    {"p",                 kRequired, kOption,   "--pthreads"},
    {"threads",           kRequired, kOption,   "-n"},
    {"network",           kRequired, kNetwork,  ""},
    {"localhost",         kNone,     kOption,   "--localhost"},
    {"nolocalhost",       kNone,     kNothing,  "the hosts are those that are named"},
    {"seq",               kNone,     kNothing,  "the number of threads of a process is the program's"},
    // Memory.
    {"shared-heap-max",   kRequired, kNothing,  "a shared heap needs no limit: its memory is used on demand"},
    {"heap-offset",       kRequired, kNothing,  "shared memory does not limit the C heap"},
    {"require-size",      kNone,     kVariable, "UPC_REQUIRE_SHARED_SIZE=yes"},
    {"norequire-size",    kNone,     kVariable, "UPC_REQUIRE_SHARED_SIZE=no"},
    {"size-warn",         kNone,     kVariable, "UPC_SIZE_WARN=yes"},
    {"nosize-warn",       kNone,     kVariable, "UPC_SIZE_WARN=no"},
    // CPUs.
    {"bind-threads",      kNone,     kOption,   "--bind=core"},
    {"nobind-threads",    kNone,     kOption,   "--bind=none"},
    {"bind-to",           kRequired, kOption,   "--bind"},
    {"cpus-per-proc",     kRequired, kOption,   "--cpus-per-process"},
    {"cpus-per-rank",     kRequired, kOption,   "--cpus-per-process"},
    {"report-bindings",   kNone,     kOption,   "-v"},
    {"polite-sync",       kNone,     kNothing,  "threads that wait yield when CPUs are short"},
    {"nopolite-sync",     kNone,     kNothing,  "threads that wait spin while that pays"},
    // Finding errors.
    {"abort",             kNone,     kWarn,
     "an error of the runtime prints a backtrace and ends the job; to look at the process, use "
     "UPCR_FREEZE_ON_ERROR=yes"},
    {"noabort",           kNone,     kNothing,  "an error of the runtime ends the job without a core file"},
    {"backtrace",         kNone,     kVariable, "UPCR_BACKTRACE=yes"},
    {"nobacktrace",       kNone,     kVariable, "UPCR_BACKTRACE=no"},
    {"freeze",            kOptional, kVariable, "UPCR_FREEZE=yes"},  // =N: UPC thread N
    {"freeze-early",      kOptional, kVariable, "UPCR_FREEZE=yes"},
    {"freeze-earlier",    kOptional, kVariable, "UPCR_FREEZE=yes"},
    {"nofreeze",          kNone,     kVariable, "UPCR_FREEZE=no"},
    {"freeze-on-error",   kNone,     kVariable, "UPCR_FREEZE_ON_ERROR=yes"},
    {"trace",             kOptional, kOption,   "--trace"},
    {"tracefile",         kRequired, kOption,   "--trace"},
    {"tracemask",         kRequired, kWarn,     kNoMasks},
    {"stats",             kOptional, kOption,   "--stats"},
    {"statsfile",         kRequired, kOption,   "--stats"},
    {"statsmask",         kRequired, kWarn,     kNoMasks},
    // Of the command itself.
    {"q",                 kNone,     kNothing,  kNoBanner},
    {"quiet",             kNone,     kNothing,  kNoBanner},
    {"vv",                kNone,     kOption,   "-v"},
    {"t",                 kNone,     kOption,   "--dry-run"},
    {"show",              kNone,     kOption,   "--dry-run"},
    {"i",                 kNone,     kOption,   "--info"},
    {"?",                 kNone,     kOption,   "--help"},
    {"encode",            kOptional, kNothing,  kPassedExactly},
    {"noencode",          kNone,     kNothing,  kPassedExactly},
    {"E",                 kRequired, kNothing,  "all environment variables are passed on"},
    {"conf",              kRequired, kOption,   "--rc"},
    {"norc",              kNone,     kOption,   "--no-rc"},
};

// Options that differ, or come in addition, in gasnetrun_* and mupcrun.
constexpr LegacyOption kOfGasnetrun[] = {
    {"c",                 kRequired, kOption,   "--cpus-per-process"},
    {"k",                 kNone,     kNothing,  "no temporary files are written"},
    {"spawner",           kRequired, kNothing,  kNoSpawner},
};

constexpr std::string_view kOverTcp = "--conduit ofi and --conduit mpi reach other hosts over TCP";
constexpr std::string_view kOfMpi = "--conduit mpi uses it through the MPI library";
constexpr std::string_view kOfLibfabric = "--conduit ofi uses it through libfabric, --conduit mpi through the MPI library";
constexpr std::string_view kMellanox =
    "--conduit ibv is for InfiniBand and RoCE, --conduit mpi for every network that an MPI library knows";

constexpr struct {
  std::string_view name, instead;
} kAbsentNetworks[] = {
    {"udp",     kOverTcp},
    {"ucx",     kMellanox},
    {"mxm",     kMellanox},
    {"vapi",    "--conduit ibv is for InfiniBand and RoCE"},
    {"psm",     kOfLibfabric},
    {"psm2",    kOfLibfabric},
    {"aries",   kOfLibfabric},
    {"gemini",  kOfMpi},
    {"portals", kOfMpi},
    {"portals4",kOfMpi},
    {"gm",      kOfMpi},
    {"mx",      kOfMpi},
    {"elan",    kOfMpi},
    {"lapi",    kOfMpi},
    {"pami",    kOfMpi},
    {"dcmf",    kOfMpi},
    {"shmem",   "--conduit smp is for one host, --conduit mpi for several"},
    {"sci",     kOfMpi},
};
/* clang-format on */

const LegacyOption* find_in(std::span<const LegacyOption> options, std::string_view name) {
  const auto found = std::ranges::find(options, name, &LegacyOption::name);
  return found != options.end() ? &*found : nullptr;
}

}  // namespace

std::span<const LegacyOption> legacy_options() { return kOptions; }
std::span<const LegacyOption> gasnetrun_options() { return kOfGasnetrun; }

const LegacyOption* find_legacy_option(std::string_view name, bool gasnet) {
  const LegacyOption* const other = gasnet ? find_in(kOfGasnetrun, name) : nullptr;
  return other != nullptr ? other : find_in(kOptions, name);
}

std::string absent_network(std::string_view name) {
  for (const auto& [absent, instead] : kAbsentNetworks)
    if (absent == name)
      return "upcr has no conduit " + std::string(name) + ": it has smp, mpi, ibv and ofi; " +
             std::string(instead);
  return {};
}

}  // namespace upcrun
