// SPDX-License-Identifier: BSD-3-Clause
// See options.hpp. Parsed by hand: the options of compilers have no common form, and their order matters.
#include "tools/upcc/options/options.hpp"

#include <algorithm>

#include "include/upcr/types.h"
#include "tools/upcc/options/berkeley.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

class CommandLineParser {
 public:
  explicit CommandLineParser(Arguments arguments) : arguments_(std::move(arguments)) {}

  Options parse() {
    record_upc_option(o_.upc, "-fdiagnostics-color=auto");
    while (at_ < arguments_.size()) {
      const std::string argument = arguments_[at_++];
      if (argument.size() < 2 || argument[0] != '-') {
        add_input(argument);
      } else if (!parse_long_option(argument) && !parse_compatibility_option(argument) &&
                 !parse_gupc_option(argument) && !record_upc_option(o_.upc, argument) &&
                 !parse_short_option(argument) && !parse_stage_option(argument) &&
                 !parse_dependency_option(argument)) {
        pass_on(argument);
      }
    }
    refuse_other_layout(o_.compile_options);
    finish_encoding();
    if (!o_.gupc.on && !first_gupc_option_.empty())
      fatal(first_gupc_option_ +
            " is an option of --abi=gupc, which is not given; add it, or leave the option out");
    return std::move(o_);
  }

 private:
  // --encoding has other names with --abi=gupc, so it is interpreted when all options are known.
  void finish_encoding() {
    if (encoding_.empty()) return;
    if (o_.gupc.on)
      set_gupc_encoding(o_.gupc, encoding_);
    else
      o_.encoding = &encoding_named(encoding_);
  }

  const std::string& next_argument(const std::string& option) {
    if (at_ == arguments_.size()) fatal(option + ": its argument is missing");
    return arguments_[at_++];
  }

  // Whether the argument is --name VALUE or --name=VALUE; also with one dash, as makefiles for other UPC
  // compilers have it.
  bool matches(const std::string& argument, const std::string& name, std::string* value) {
    const std::string bare = argument.substr(argument.compare(0, 2, "--") == 0 ? 2 : 1);
    if (bare == name) {
      if (value != nullptr) *value = next_argument(argument);
      return true;
    }
    if (value == nullptr || bare.compare(0, name.size() + 1, name + "=") != 0) return false;
    *value = bare.substr(name.size() + 1);
    return true;
  }

  bool parse_long_option(const std::string& argument) {
    std::string value;
    if (matches(argument, "shared-heap", &value)) {
      o_.heap_bytes = parse_size("--shared-heap", value);
    } else if (matches(argument, "link-with", &value)) {
      o_.link_with = value;
    } else if (matches(argument, "encoding", &value)) {
      encoding_ = value;
    } else if (matches(argument, "inst", nullptr)) {
      o_.instrument = tool_ = true;
    } else if (matches(argument, "stats", nullptr)) {
      o_.statistics = o_.instrument = o_.instrument_local = true;
    } else if (matches(argument, "inst-functions", nullptr)) {
      o_.instrument = o_.instrument_functions = tool_ = true;
    } else if (matches(argument, "inst-local", nullptr)) {
      o_.instrument = o_.instrument_local = tool_ = true;
    } else if (argument.compare(0, 7, "--inst-") == 0 || argument.compare(0, 6, "-inst-") == 0) {
      fatal(argument +
            ": upcc has --inst, --inst-functions and --inst-local; the tool is given like any other file "
            "or library: upcc --inst prog.c tool.c");
    } else if (matches(argument, "extern-main", nullptr)) {
      o_.extern_main = true;
    } else if (matches(argument, "static-libupcr", nullptr)) {
      o_.static_libupcr = true;
    } else if (matches(argument, "pthreads", nullptr)) {
      o_.pthreads = true;
    } else if (matches(argument, "pthreads", &value)) {
      o_.pthreads = true;
      o_.pthreads_per_process = parse_count("--pthreads", value, UPCR_MAX_PTHREADS);
    } else if (argument == "--sizes") {
      o_.sizes = true;
    } else if (argument == "--front-end") {
      o_.front_end = true;
    } else if (argument == "--show" || argument == "--dry-run" || argument == "-show" || argument == "-###") {
      command_mode = {true, false};
    } else if (argument == "--help" || argument == "-help" || argument == "-h") {
      o_.help = true;
    } else {
      return false;
    }
    return true;
  }

  // Options that makefiles and test harnesses for other UPC drivers use.
  bool parse_compatibility_option(const std::string& argument) {
    std::string value;
    if (matches(argument, "network", &value)) {
      static const Arguments kConduits = {"smp", "mpi", "ibv", "ofi"};
      if (std::find(kConduits.begin(), kConduits.end(), value) == kConduits.end())
        fatal("-network=" + value +
              ": upcr has the conduits smp, mpi, ibv and ofi; which one a program uses is decided when it "
              "starts (upcrun --conduit), so the option can be left out" +
              network_advice(value));
    } else if (matches(argument, "lines", nullptr)) {
      o_.line_markers = true;
    } else if (matches(argument, "nolines", nullptr)) {
      o_.line_markers = false;
    } else if (matches(argument, "trans", nullptr)) {
      stop_at(Stage::kTranslate);
    } else if (argument.rfind("--trans=", 0) == 0 || argument.rfind("-trans=", 0) == 0) {
      stop_at(Stage::kTranslate);
      o_.output = argument.substr(argument.find('=') + 1);
    } else if (matches(argument, "version", nullptr) || argument == "-V") {
      o_.version = true;
    } else if (matches(argument, "show-sizes", nullptr)) {
      o_.sizes = true;
    } else if (argument.compare(0, 4, "-Wc,") == 0) {
      pass_to_compiler(argument);
    } else if (argument == "-vv") {
      command_mode.print = true;
    } else {
      return parse_legacy_option(argument);
    }
    return true;
  }

  bool parse_legacy_option(const std::string& argument) {
    const std::size_t dashes = argument.compare(0, 2, "--") == 0 ? 2 : 1, equals = argument.find('=');
    const LegacyOption* option =
        find_legacy_option(argument.substr(dashes, equals == std::string::npos ? equals : equals - dashes));
    if (option == nullptr || (option->argument == LegacyArgument::kNone && equals != std::string::npos))
      return false;
    if (option->argument == LegacyArgument::kRequired && equals == std::string::npos) next_argument(argument);
    if (!option->works) warn(argument.substr(0, equals) + " has no effect: " + option->text);
    return true;
  }

  // -Wc,A,B: passes A and B to the compiler alone, whatever they mean to upcc.
  void pass_to_compiler(const std::string& argument) {
    std::size_t from = 4;
    while (from <= argument.size()) {
      const std::size_t comma = std::min(argument.find(',', from), argument.size());
      const std::string option = argument.substr(from, comma - from);
      if (option.empty()) fatal(argument + ": an option for the compiler is empty");
      if (option.compare(0, 2, "-O") == 0) o_.optimize = true;
      o_.compile_options.push_back(option);
      if (classify(option).phase == OptionPhase::kBoth) o_.common_options.push_back(option);
      from = comma + 1;
    }
  }

  // Options of --abi=gupc, also as GCC-UPC and Clang-UPC spell them.
  bool parse_gupc_option(const std::string& argument) {
    std::string value;
    if (matches(argument, "abi", &value)) {
      if (value != "upcr" && value != "gupc") fatal("--abi: '" + value + "' is neither upcr nor gupc");
      o_.gupc.on = value == "gupc";
      return true;
    }
    if (argument.compare(0, 14, "-fupc-threads-") == 0 || argument.compare(0, 14, "-fupc-threads=") == 0) {
      o_.threads = parse_count("-fupc-threads-N", argument.substr(14), UPCR_MAX_THREADS);
      return true;
    }
    const bool theirs = argument.compare(0, 6, "-fupc-") == 0;
    if (theirs && first_gupc_option_.empty()) first_gupc_option_ = argument;
    for (const std::string name : {"pts", "pts-vaddr-order", "packed-bits"})
      if (matches(argument, name, &value)) {
        if (first_gupc_option_.empty()) first_gupc_option_ = argument;
        set_gupc_option(o_.gupc, "fupc-" + name, value);
        return true;
      }
    if (!theirs) return false;
    const std::size_t equals = argument.find('=');
    if (argument.compare(0, 27, "-fupc-pthreads-per-process-") == 0)
      o_.pthreads_per_process =
          parse_count("-fupc-pthreads-per-process-N", argument.substr(27), UPCR_MAX_PTHREADS);
    else if (equals == std::string::npos)
      set_gupc_option(o_.gupc, argument.substr(1), "");
    else
      set_gupc_option(o_.gupc, argument.substr(1, equals - 1), argument.substr(equals + 1));
    return true;
  }

  bool parse_short_option(const std::string& argument) {
    if (argument == "-o") {
      o_.output = next_argument(argument);
    } else if (argument.compare(0, 2, "-T") == 0 &&
               (argument.size() == 2 || std::isdigit(argument[2]) || argument[2] == '=')) {
      const std::size_t skip = argument.size() > 2 && argument[2] == '=' ? 3 : 2;
      o_.threads = parse_count("-T", argument.size() == 2 ? next_argument(argument) : argument.substr(skip),
                               UPCR_MAX_THREADS);
    } else if (argument == "-v") {
      command_mode.print = true;
    } else if (argument == "-x") {
      set_language(next_argument(argument));
    } else if (is_joined_language(argument)) {
      set_language(argument.substr(2));
    } else if (argument.compare(0, 2, "-o") == 0) {
      o_.output = argument.substr(2);
    } else {
      return false;
    }
    return true;
  }

  // -xc: as -x c.
  static bool is_joined_language(const std::string& argument) {
    static const Arguments kLanguages = {
        "c", "c++", "upc", "none", "cpp-output", "assembler", "assembler-with-cpp"};
    return argument.compare(0, 2, "-x") == 0 &&
           std::find(kLanguages.begin(), kLanguages.end(), argument.substr(2)) != kLanguages.end();
  }

  void set_language(const std::string& language) { language_ = language == "none" ? "" : language; }

  void stop_at(Stage stage) {
    // As in compilers, the earliest stage of those asked for counts.
    if (o_.stage == Stage::kLink || static_cast<int>(stage) > static_cast<int>(o_.stage)) o_.stage = stage;
  }

  bool parse_stage_option(const std::string& argument) {
    if (argument == "-c") {
      stop_at(Stage::kCompile);
    } else if (argument == "-S") {
      stop_at(Stage::kAssemble);
    } else if (argument == "-E") {
      stop_at(Stage::kPreprocess);
    } else if (argument == "-fsyntax-only") {
      stop_at(Stage::kSyntax);
    } else if (argument == "-M" || argument == "-MM") {
      stop_at(Stage::kDependencies);
      o_.compile_options.push_back(argument);
    } else {
      return false;
    }
    return true;
  }

  bool parse_dependency_option(const std::string& argument) {
    if (argument.compare(0, 3, "-MF") == 0) {
      o_.dependency_file = argument.size() > 3 ? argument.substr(3) : next_argument(argument);
      return true;
    }
    if (argument == "-MD" || argument == "-MMD") o_.writes_dependencies = true;
    if (argument.compare(0, 3, "-MT") == 0 || argument.compare(0, 3, "-MQ") == 0)
      o_.has_dependency_target = true;
    return false;  // the compiler gets these options, too
  }

  void add_input(const std::string& path) {
    o_.inputs.push_back({path, kind_of_file(path, language_), language_});
  }

  void record_effects(const std::string& argument) {
    if (argument == "-g" || argument == "-g2" || argument == "-g3" || argument.compare(0, 5, "-ggdb") == 0)
      o_.debug = true;
    if (argument == "-g0") o_.debug = false;
    if (argument.compare(0, 2, "-O") == 0) o_.optimize = true;
    if (argument == "-shared" || argument == "-r") o_.no_program = true;
    if (argument == "-r") o_.joins_objects = true;
    if (argument == "-static" || argument == "-static-pie") o_.fully_static = true;
    if (is_compiler_query(argument)) o_.compiler_query_only = true;
  }

  void pass_on(const std::string& argument) {
    record_effects(argument);
    if (const std::string similar = similar_option(argument); !similar.empty())
      warn(argument.substr(0, argument.find('=')) +
           " is not an option of upcc's, and goes to the compiler; did you mean " + similar + "?");
    const CompilerOption option = classify(argument);
    Arguments arguments = {argument};
    if (option.has_argument) arguments.push_back(next_argument(argument));
    if (option.phase != OptionPhase::kLink)
      o_.compile_options.insert(o_.compile_options.end(), arguments.begin(), arguments.end());
    if (option.phase == OptionPhase::kBoth)
      o_.common_options.insert(o_.common_options.end(), arguments.begin(), arguments.end());
    if (option.phase == OptionPhase::kCompile) return;
    for (const std::string& piece : arguments) o_.inputs.push_back({piece, InputKind::kLinkOption, {}});
  }

  Arguments arguments_;
  std::size_t at_ = 0;
  std::string language_, encoding_;
  bool tool_ = false;              // some --inst was given
  std::string first_gupc_option_;  // the first option of --abi=gupc that was given
  Options o_;
};

}  // namespace

bool Options::has_sources() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& input) { return input.is_source(); });
}

Options parse(int argc, char** argv) {
  const Arguments given = expand_response_files(argc, argv);
  Arguments arguments = default_arguments(given);
  arguments.insert(arguments.end(), given.begin(), given.end());
  return CommandLineParser(std::move(arguments)).parse();
}

}  // namespace upcc
