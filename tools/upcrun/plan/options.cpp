// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/options.hpp"

#include <sysexits.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "conduits/core/base/config/config.hpp"
#include "include/upcr/types.h"
#include "tools/command_line/command_line.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/plan/defaults.hpp"
#include "tools/upcrun/plan/help.hpp"
#include "tools/upcrun/plan/words.hpp"
#include "upcr/config.h"

namespace upcrun {
namespace {

constexpr int kWrongUse = 2;

// A whole number from 1 to `limit`. Throws Failure for anything else.
unsigned count(const std::string& what, const std::string& text, unsigned limit,
               const std::string& limit_name) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long value = digits && text.size() < 10 ? std::stoul(text) : digits ? ~0UL : 0;
  if (value >= 1 && value <= limit) return static_cast<unsigned>(value);
  std::string message = what + " is '" + text + "': expected a number from 1 to " + std::to_string(limit);
  if (digits && value > limit) message += " (" + limit_name + ")";
  throw Failure{kWrongUse, message};
}

double seconds(const std::string& what, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !(value > 0) || value > 1e9)
    throw Failure{kWrongUse, what + " is '" + text + "': expected a number of seconds above 0"};
  return value;
}

class Help : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    return "Usage: " + app->get_name() + " -n N [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n";
  }
};

struct OptionTexts {
  std::string threads, pthreads, timeout, stall_report, bind, map_by, cpus, host_count, threads_per_host,
      folder, rc;
  bool no_rc = false;
};

void declare(CLI::App& app, Options& options, OptionTexts& texts) {
  app.formatter(std::make_shared<Help>());
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.footer(help_footer(options));
  app.set_version_flag("-V,--version", app.get_name() + " (upcr) " + UPCR_VERSION, "print the version");
  app.add_option("-n", texts.threads,
                 options.gasnet ? "number of nodes (processes; also -np)"
                                : "number of UPC threads (also -np; default: UPCR_THREADS, or what PROGRAM "
                                  "was compiled for)")
      ->type_name("N");
  app.add_option("--pthreads", texts.pthreads,
                 "UPC threads of one process (default: UPCR_PTHREADS, or what "
                 "PROGRAM was built for)")
      ->type_name("K");
  app.add_option("--conduit", options.conduit, "network to use (sets UPCR_CONDUIT)")->type_name("NAME");
  app.add_option("-H,--host", options.hosts,
                 "hosts, each with the most processes that it may get (default: equal shares); the first "
                 "ranks go to the first host")
      ->type_name("A,B:2,...");
  app.add_option("--hostfile", options.hostfile, "hosts from a file with lines `name [slots=N]`")
      ->type_name("FILE");
  app.add_option("-N,--hosts-used", texts.host_count,
                 "use N of the hosts, in equal shares; without effect on one host")
      ->type_name("N");
  app.add_option("--per-host", texts.threads_per_host, "UPC threads of each host, at most (also -c)")
      ->type_name("N");
  app.add_flag("--localhost", options.local_only, "start all processes on this host");
  app.add_option("--rsh", options.rsh,
                 "remote shell to use instead of ssh: run as `CMD [OPTIONS] HOST COMMAND...` (default: "
                 "UPCRUN_RSH)")
      ->type_name("CMD");
  app.add_option("--shared-heap", options.shared_heap,
                 "shared memory of each UPC thread, as 64MB or 1G; MB without a unit (sets "
                 "UPC_SHARED_HEAP_SIZE)")
      ->type_name("SIZE");
  app.add_flag(
      "--stats{yes}", options.stats,
      "count what the program does and print a summary at its end; --stats=FILE: everything as JSON in "
      "FILE too (sets UPCR_STATS)");
  app.add_flag(
      "--trace{trace.json}", options.trace,
      "record what each UPC thread does as a timeline for ui.perfetto.dev; --trace=FILE: in FILE instead "
      "of trace.json; --trace=barrier,lock,msg: these kinds alone, msg being messages; --trace=FILE:barrier,lock: both "
      "(sets UPCR_TRACE)");
  app.add_option("--timeout", texts.timeout, "end the job with status 124 after S seconds")->type_name("S");
  app.add_option(
         "--stall-report", texts.stall_report,
         "when a UPC thread has waited for S seconds in one call, print what all of them wait for, and "
         "the likely cause (sets UPCR_STALL_WARN)")
      ->type_name("S");
  app.add_option(
         "--bind", texts.bind,
         "none: bind no process; core: bind each process to CPUs of its own, cores before their further "
         "hardware threads, an error when there are not enough; numa, socket: to all CPUs of a NUMA node or "
         "socket (default: core if there are enough; none for GASNET_PAR and PARSYNC)")
      ->type_name("none|core|numa|socket");
  app.add_option(
         "--map-by", texts.map_by,
         "each process gets the next core (the default), the next hardware thread, or CPUs of the next "
         "NUMA node or socket in turn")
      ->type_name("core|hwthread|numa|socket");
  app.add_option("--cpus-per-process", texts.cpus,
                 "CPUs of each process (default: its UPC threads; of GASNET_PAR and PARSYNC OMP_NUM_THREADS)")
      ->type_name("N");
  app.add_flag("--label", options.label, "start each line of output with the UPC threads it comes from");
  app.add_option(
         "--output", options.output,
         "write the output of each process to a file DIR/rank.N on this host; DIR is made where it is "
         "missing")
      ->type_name("DIR");
  app.add_flag("-v,--verbose", options.verbose, "report on stderr what upcrun does");
  app.add_flag("--dry-run", options.dry_run, "print the commands that would be run, and run none");
  app.add_flag("--info", options.info, "print what upcrun knows of PROGRAM, and run nothing");
  app.add_option("--wdir", texts.folder, "change to this folder first")->type_name("DIR");
  app.add_option("--rc", texts.rc, "read default options from FILE, not from ~/.upcrunrc")->type_name("FILE");
  app.add_flag("--no-rc", texts.no_rc, "do not read ~/.upcrunrc");
  app.add_option("--argv0", options.argv0)->group("");  // for programs that start upcrun themselves
  for (CLI::Option* option : app.get_options()) {
    option->description(in_words_of(options, option->get_description()));
    if (!shown_in_help(options, option->get_name())) option->group("");
  }
}

// The start of the names that GASNet users know; the conduit follows.
constexpr std::string_view kGasnetPrefix = "gasnetrun_";

// The name of this program for users of MuPC.
constexpr const char* kMupcrun = "mupcrun";

std::string usage_hint(const Options& options) { return "use `" + options.command + " -n N PROGRAM`"; }

// The facts about the options that the reader of arguments needs.
KnownOptions known_options(const CLI::App& app, const Options& options) {
  KnownOptions known;
  known.command = options.command;
  known.gasnet = options.mupc || options.gasnet;
  known.flags_with_value = {"--stats", "--trace"};
  known.values = [&app](const std::string& name) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    return option == nullptr ? -1 : option->get_items_expected_max() > 0 ? 1 : 0;
  };
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())
      known.names.insert(known.names.end(), option->get_lnames().begin(), option->get_lnames().end());
  return known;
}

void parse_options_with_cli11(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 reads them from the back
  try {
    app.parse(words);
  } catch (const CLI::Success&) {
    throw;
  } catch (const CLI::ParseError& error) {
    throw Failure{kWrongUse,
                  std::string(error.what()) + "; `" + app.get_name() + " --help` lists the options"};
  }
}

// No option may have an empty value: it usually is a variable of a script that was never set.
void check_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (name == "--argv0" || option->get_items_expected_max() == 0) continue;
    const std::vector<std::string> values = option->results();
    if (std::find(values.begin(), values.end(), "") == values.end()) continue;
    const std::vector<std::string>& letters = option->get_snames();
    throw Failure{kWrongUse, (letters.empty() ? name : "-" + letters.front()) + " is empty: expected " +
                                 option->get_type_name()};
  }
}

Bind bind_mode(const std::string& text) {
  if (text.empty()) return Bind::kAuto;
  if (text == "none") return Bind::kNone;
  if (text == "core") return Bind::kCore;
  if (text == "numa") return Bind::kNuma;
  if (text == "socket" || text == "package") return Bind::kSocket;
  throw Failure{kWrongUse, "--bind is '" + text + "': expected none, core, numa or socket"};
}

MapBy map_mode(const std::string& text) {
  if (text.empty() || text == "core" || text == "slot") return MapBy::kCore;
  if (text == "hwthread") return MapBy::kHardwareThread;
  if (text == "numa") return MapBy::kNuma;
  if (text == "socket" || text == "package") return MapBy::kSocket;
  std::string message = "--map-by is '" + text + "': expected core, hwthread, numa or socket";
  if (text == "node")
    message +=
        "; neighbouring ranks stay on one host, where they share memory, and -N gives hosts equal shares";
  else if (text.starts_with("ppr:"))
    message += "; --per-host is the number of UPC threads of each host";
  throw Failure{kWrongUse, message};
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void interpret(const OptionTexts& texts, Options& options) {
  const std::string n = environment("UPCR_THREADS");
  const std::string name = environment("UPCR_PTHREADS").empty() ? "UPC_PTHREADS_PER_PROC" : "UPCR_PTHREADS";
  const std::string k = environment(name.c_str());
  const std::string limit = "the most that this build's pointers-to-shared can name";
  if (!texts.threads.empty())
    options.threads = count("-n", texts.threads, UPCR_MAX_THREADS, limit);
  else if (!n.empty())
    options.threads = count("UPCR_THREADS", n, UPCR_MAX_THREADS, limit);
  const std::string most = "the most that one process holds";
  if (!texts.pthreads.empty())
    options.pthreads = count("--pthreads", texts.pthreads, UPCR_MAX_PTHREADS, most);
  else if (!k.empty())
    options.pthreads = count(name, k, UPCR_MAX_PTHREADS, most);
  if (!texts.timeout.empty()) options.timeout = seconds("--timeout", texts.timeout);
  if (!texts.stall_report.empty())
    options.stall_report =
        std::to_string(count("--stall-report", texts.stall_report, 1'000'000, "eleven days"));
  if (const std::string start_timeout = environment("UPCRUN_START_TIMEOUT"); !start_timeout.empty())
    options.start_timeout = count("UPCRUN_START_TIMEOUT", start_timeout, 1'000'000, "eleven days");
  options.bind = bind_mode(texts.bind);
  options.map_by = map_mode(texts.map_by);
  if (!texts.cpus.empty())
    options.cpus_per_process = count("--cpus-per-process", texts.cpus, kMaxCpus, "the most CPUs");
  if (options.bind == Bind::kNone && !texts.map_by.empty())
    throw Failure{kWrongUse, "--map-by and --bind none contradict each other; use one of them"};
  if (!texts.host_count.empty())
    options.host_count = count("-N", texts.host_count, UPCR_MAX_THREADS, "the most hosts");
  if (!texts.threads_per_host.empty())
    options.threads_per_host = count("--per-host", texts.threads_per_host, UPCR_MAX_THREADS, limit);
  if (std::uint64_t bytes = 0;
      !options.shared_heap.empty() && !upcr::parse_megabytes(options.shared_heap.c_str(), &bytes))
    throw Failure{kWrongUse,
                  "--shared-heap is '" + options.shared_heap +
                      "': expected a number with K, M, G, KB, MB, GB or B, or of megabytes below 1048576"};
}

// Where all processes are to be on this host: what else would name hosts has no effect, except -H itself.
void stay_on_this_host(Options& options) {
  if (!options.local_only) return;
  if (!options.hosts.empty() || !options.hostfile.empty())
    throw Failure{kWrongUse, "--localhost and -H or --hostfile contradict each other; use one of them"};
  const std::string conduit = options.conduit.empty() ? environment("UPCR_CONDUIT") : options.conduit;
  if (!conduit.empty() && conduit != "smp") options.hosts = "localhost";
}

// Paths on the command line are those of the folder in which upcrun was started.
void change_folder(Options& options, const std::string& folder) {
  if (folder.empty()) return;
  if (!options.hostfile.empty()) options.hostfile = std::filesystem::absolute(options.hostfile).string();
  if (!options.output.empty()) options.output = std::filesystem::absolute(options.output).string();
  if (::chdir(folder.c_str()) != 0)
    throw Failure{kWrongUse, "--wdir " + folder + ": " + std::strerror(errno)};
}

// Open MPI's and MPICH's mpirun start several programs in one job so: prog1 : -n 2 prog2.
void refuse_several_programs(const CommandWords& words) {
  const auto colon = std::find(words.program.begin(), words.program.end(), ":");
  if (words.separator || colon == words.program.end() || colon + 1 == words.program.end()) return;
  throw Failure{
      kWrongUse,
      "a job of UPC has one program, which all threads run; ':' would start another one beside it. "
      "Let the program branch on MYTHREAD; where ':' is an argument of it, write -- before PROGRAM"};
}

void parse_words(CLI::App& app, std::vector<std::string> words) {
  parse_options_with_cli11(app, std::move(words));
  check_values(app);
}

// The options of the files and variables, then those of the command line.
CommandWords read_all_words(const CLI::App& app, const Options& options,
                            const std::vector<std::string>& words) {
  const KnownOptions known = known_options(app, options);
  CommandWords all;
  all.warnings = misspelt_launcher_variables();
  CommandWords given = read_words(words, known);
  for (const DefaultWords& defaults : default_words(given.options)) {
    try {
      CommandWords more = read_words(defaults.words, known);
      if (!more.program.empty()) throw Failure{kWrongUse, "'" + more.program.front() + "' is not an option"};
      all.options.insert(all.options.end(), more.options.begin(), more.options.end());
      all.variables.insert(all.variables.end(), more.variables.begin(), more.variables.end());
      all.warnings.insert(all.warnings.end(), more.warnings.begin(), more.warnings.end());
    } catch (const Failure& failure) {
      throw Failure{failure.status, defaults.source + ": " + failure.message};
    }
  }
  all.options.insert(all.options.end(), given.options.begin(), given.options.end());
  all.variables.insert(all.variables.end(), given.variables.begin(), given.variables.end());
  all.warnings.insert(all.warnings.end(), given.warnings.begin(), given.warnings.end());
  all.program = std::move(given.program);
  all.separator = given.separator;
  return all;
}

}  // namespace

std::string command_name(const char* argv0) {
  std::string name = argv0;
  name.erase(0, name.rfind('/') + 1);
  return name == kMupcrun || name.starts_with(kGasnetPrefix) ? name : "upcrun";
}

std::string missing_threads(const Options& options) {
  return std::string("the number of ") + (options.gasnet ? "nodes" : "UPC threads") + " is missing; " +
         usage_hint(options);
}

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  options.command = command_name(argv[0]);
  options.mupc = options.command == kMupcrun;
  options.gasnet = options.command.starts_with(kGasnetPrefix);
  OptionTexts texts;
  CLI::App app(help_description(options), options.command);
  declare(app, options, texts);
  CommandWords words = read_all_words(app, options, {argv + 1, argv + argc});
  try {
    parse_words(app, words.options);
  } catch (const CLI::Success& wanted) {
    app.exit(wanted);
    if (const std::string why = upcr::why_output_failed(); !why.empty()) throw Failure{EX_IOERR, why};
    return std::nullopt;
  }
  for (const auto& [name, value] : words.variables) (void)::setenv(name.c_str(), value.c_str(), 1);
  for (const std::string& warning : words.warnings)
    std::fprintf(stderr, "%s: %s\n", options.command.c_str(), warning.c_str());
  if (words.program.empty())
    throw Failure{kWrongUse, "the program to run is missing; " + usage_hint(options)};
  refuse_several_programs(words);
  if (options.conduit.empty() && options.gasnet)
    options.conduit = options.command.substr(kGasnetPrefix.size());
  options.gasnet |= !environment("GASNET_PSHM_NODES").empty();
  options.program = words.program.front();
  options.arguments.assign(words.program.begin() + 1, words.program.end());
  interpret(texts, options);
  add_hosts_of_environment(options);
  options.allocation = current_allocation();
  stay_on_this_host(options);
  change_folder(options, texts.folder);
  return options;
}

}  // namespace upcrun
