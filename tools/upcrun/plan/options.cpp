// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/options.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "conduits/core/base/config/config.hpp"
#include "include/upcr/types.h"
#include "tools/upcrun/base/failure.hpp"

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
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: upcrun -n N [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n";
  }
};

struct OptionTexts {
  std::string threads, pthreads, timeout, bind;
};

void declare(CLI::App& app, Options& options, OptionTexts& texts) {
  app.formatter(std::make_shared<Help>());
  app.footer(
      "Everything after PROGRAM belongs to it. Standard input reaches UPC thread 0.\n"
      "Processes of conduit ibv are started on the hosts of -H or --hostfile by ssh, once for each host; those\n"
      "of conduit mpi by mpirun (of Open MPI or MPICH; UPCR_MPIRUN and UPCR_MPI_LIBRARY choose), which without\n"
      "-H and --hostfile uses the hosts of the batch system, or this one. They run in the current directory with\n"
      "the current environment. Every host needs upcr (in the same place, or where UPCRUN_AGENT says), and must\n"
      "be reachable without a password.\n"
      "The exit status is the program's; 128 + S when signal S killed a process; 124 after --timeout;\n"
      "74 when the output cannot be written; 125 when a host is lost; 2 for wrong use; 126 and 127 when PROGRAM\n"
      "cannot be run or is not found.");
  app.add_option("-n", texts.threads, "number of UPC threads (also -np; default: UPCR_THREADS)")
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
  app.add_option("--rsh", options.rsh,
                 "remote shell to use instead of ssh: run as `CMD [OPTIONS] HOST COMMAND...` (default: "
                 "UPCRUN_RSH)")
      ->type_name("CMD");
  app.add_option("--shared-heap", options.shared_heap,
                 "shared memory of each UPC thread, as 64MB or 1G (sets UPC_SHARED_HEAP_SIZE)")
      ->type_name("SIZE");
  app.add_option("--timeout", texts.timeout, "end the job with status 124 after S seconds")->type_name("S");
  app.add_option("--bind", texts.bind,
                 "none: bind no process; core: bind each process to CPUs of its own, an error when there are "
                 "not enough (default: core if there are enough; none for GASNET_PAR and PARSYNC)")
      ->type_name("none|core");
  app.add_flag("--label", options.label, "start each line of output with the UPC threads it comes from");
  app.add_flag("-v,--verbose", options.verbose, "report on stderr what upcrun does");
  app.add_option("--argv0", options.argv0)->group("");  // for programs that start upcrun themselves
}

// The conduit in a name that GASNet users know: "mpi" of gasnetrun_mpi; else nothing.
std::string conduit_of_name(std::string name) {
  constexpr std::string_view kPrefix = "gasnetrun_";
  name.erase(0, name.rfind('/') + 1);
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : "";
}

// The name of this program for users of MuPC.
constexpr const char* kMupcrun = "mupcrun";

std::string usage_hint(const Options& options) {
  return "use `" + std::string(options.mupc ? kMupcrun : "upcrun") + " -n N PROGRAM`";
}

// Further options of gasnetrun_*.
struct GasnetOptions {
  std::string hosts, environment;
};
void declare_gasnet(CLI::App& app, GasnetOptions& options) {
  app.add_option("-N", options.hosts, "number of hosts to use, in equal shares; without effect on one host")
      ->type_name("N");
  app.add_option("-E", options.environment,
                 "accepted for compatibility: all environment variables are passed on")
      ->type_name("NAMES");
}

// The index of PROGRAM, after the options and their values; words.size() when there is none.
int find_program(const CLI::App& app, const std::vector<std::string>& words, bool* separator) {
  const int count = static_cast<int>(words.size());
  for (int i = 0; i < count; ++i) {
    const std::string& word = words[i];
    *separator = word == "--";
    if (*separator || word.size() < 2 || word[0] != '-') return i;
    const CLI::Option* option = app.get_option_no_throw(word);
    if (option != nullptr && option->get_items_expected_max() > 0) ++i;
  }
  return count;
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
    if (name == "--argv0" || name == "-E" || option->get_items_expected_max() == 0) continue;
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
  throw Failure{kWrongUse, "--bind is '" + text + "': expected none or core"};
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void interpret(const OptionTexts& texts, Options& options) {
  const std::string n = environment("UPCR_THREADS"), k = environment("UPCR_PTHREADS");
  const std::string limit = "the most that this build's pointers-to-shared can name";
  if (!texts.threads.empty())
    options.threads = count("-n", texts.threads, UPCR_MAX_THREADS, limit);
  else if (!n.empty())
    options.threads = count("UPCR_THREADS", n, UPCR_MAX_THREADS, limit);
  else
    throw Failure{kWrongUse, "the number of UPC threads is missing; " + usage_hint(options)};
  const std::string most = "the most that one process holds";
  if (!texts.pthreads.empty())
    options.pthreads = count("--pthreads", texts.pthreads, UPCR_MAX_PTHREADS, most);
  else if (!k.empty())
    options.pthreads = count("UPCR_PTHREADS", k, UPCR_MAX_PTHREADS, most);
  if (!texts.timeout.empty()) options.timeout = seconds("--timeout", texts.timeout);
  if (const std::string start_timeout = environment("UPCRUN_START_TIMEOUT"); !start_timeout.empty())
    options.start_timeout = count("UPCRUN_START_TIMEOUT", start_timeout, 1'000'000, "eleven days");
  options.bind = bind_mode(texts.bind);
  if (std::uint64_t bytes = 0;
      !options.shared_heap.empty() && !upcr::parse_size(options.shared_heap.c_str(), &bytes))
    throw Failure{kWrongUse, "--shared-heap is '" + options.shared_heap +
                                 "': expected a number with K, M, G, KB, MB or GB, or of bytes"};
}

}  // namespace

std::string command_name(const char* argv0) {
  const std::string name = argv0;
  return name.substr(name.rfind('/') + 1) == kMupcrun ? kMupcrun : "upcrun";
}

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  const std::string command = command_name(argv[0]);
  options.mupc = command == kMupcrun;
  OptionTexts texts;
  CLI::App app("Runs a UPC program on N UPC threads, or a GASNet program on N nodes.", command);
  declare(app, options, texts);
  const std::string conduit = conduit_of_name(argv[0]);
  GasnetOptions more;
  if (!conduit.empty()) declare_gasnet(app, more);
  std::vector<std::string> words(argv + 1, argv + argc);
  // CLI11 has no short names of two letters.
  for (std::string& word : words) {
    if (word == "--" || word.size() < 2) break;
    if (word == "-np") word = "-n";
  }
  bool separator = false;
  const int at = find_program(app, words, &separator);
  try {
    parse_options_with_cli11(app, {words.begin(), words.begin() + at});
  } catch (const CLI::Success& wanted) {
    app.exit(wanted);
    return std::nullopt;
  }
  check_values(app);
  words = {argv + 1 + at + (separator ? 1 : 0), argv + argc};
  if (words.empty()) throw Failure{kWrongUse, "the program to run is missing; " + usage_hint(options)};
  if (options.conduit.empty()) options.conduit = conduit;
  options.gasnet = !conduit.empty() || !environment("GASNET_PSHM_NODES").empty();
  if (!more.hosts.empty()) options.host_count = count("-N", more.hosts, UPCR_MAX_THREADS, "the most hosts");
  options.program = words.front();
  options.arguments.assign(words.begin() + 1, words.end());
  interpret(texts, options);
  return options;
}

}  // namespace upcrun
