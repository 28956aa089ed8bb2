// SPDX-License-Identifier: BSD-3-Clause
// See options.hpp. Parsed by hand: the options of compilers have no common form, and their order matters.
#include "tools/upcc/options/options.hpp"

#include <algorithm>
#include <filesystem>

#include "include/upcr/types.h"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

bool is_source_name(const std::string& path) {
  static const Words kExtensions = {".c",   ".i",   ".cc",  ".cpp", ".cxx", ".c++", ".C", ".CPP",
                                    ".cp",  ".ii",  ".s",   ".S",   ".sx",  ".f",   ".F", ".for",
                                    ".f90", ".F90", ".f95", ".h",   ".hpp", ".upc"};
  const std::string extension = std::filesystem::path(path).extension().string();
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

class Walk {
 public:
  explicit Walk(Words words) : words_(std::move(words)) {}

  Options take() {
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (word.size() < 2 || word[0] != '-') {
        file(word);
      } else if (!parse_long_option(word) && !parse_compatibility_option(word) && !parse_gupc_option(word) &&
                 !own_short(word) && !stage(word) && !dependencies(word)) {
        foreign(word);
      }
    }
    finish_encoding();
    if (!o_.gupc.on && !first_gupc_option_.empty())
      die(first_gupc_option_ + ": an option of --abi=gupc, which is not given");
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

  const std::string& argument(const std::string& option) {
    if (at_ == words_.size()) die(option + ": its argument is missing");
    return words_[at_++];
  }

  // --name VALUE, --name=VALUE; also with one dash, as makefiles for other UPC compilers have it.
  bool named(const std::string& word, const std::string& name, std::string* value) {
    const std::string bare = word.substr(word.compare(0, 2, "--") == 0 ? 2 : 1);
    if (bare == name) {
      if (value != nullptr) *value = argument(word);
      return true;
    }
    if (value == nullptr || bare.compare(0, name.size() + 1, name + "=") != 0) return false;
    *value = bare.substr(name.size() + 1);
    return true;
  }

  bool parse_long_option(const std::string& word) {
    std::string value;
    if (named(word, "shared-heap", &value)) {
      o_.heap_bytes = parse_size("--shared-heap", value);
    } else if (named(word, "link-with", &value)) {
      o_.link_with = value;
    } else if (named(word, "encoding", &value)) {
      encoding_ = value;
    } else if (named(word, "inst", nullptr)) {
      o_.instrument = true;
    } else if (named(word, "inst-functions", nullptr)) {
      o_.instrument = o_.instrument_functions = true;
    } else if (named(word, "inst-local", nullptr)) {
      o_.instrument = o_.instrument_local = true;
    } else if (word.compare(0, 7, "--inst-") == 0 || word.compare(0, 6, "-inst-") == 0) {
      die(word +
          ": upcc has --inst, --inst-functions and --inst-local; the tool is given like any other file "
          "or library: upcc --inst prog.c tool.c");
    } else if (named(word, "extern-main", nullptr)) {
      o_.extern_main = true;
    } else if (named(word, "pthreads", nullptr)) {
      o_.pthreads = true;
    } else if (named(word, "pthreads", &value)) {
      o_.pthreads = true;
      o_.pthreads_per_process = parse_count("--pthreads", value, UPCR_MAX_PTHREADS);
    } else if (word == "--sizes") {
      o_.sizes = true;
    } else if (word == "--front-end") {
      o_.front_end = true;
    } else if (word == "--show" || word == "-###") {
      echo = {true, false};
    } else if (word == "--help") {
      o_.help = true;
    } else {
      return false;
    }
    return true;
  }

  // What makefiles and test harnesses for other UPC drivers have.
  bool parse_compatibility_option(const std::string& word) {
    std::string value;
    if (named(word, "network", &value)) {
      static const Words kConduits = {"smp", "mpi", "ibv"};
      if (std::find(kConduits.begin(), kConduits.end(), value) == kConduits.end())
        die(word +
            ": upcr has the conduits smp, mpi and ibv; which one a program uses is decided when it "
            "starts (upcrun --conduit), so the option can be left out");
    } else if (named(word, "lines", nullptr)) {
      o_.line_markers = true;
    } else if (named(word, "nolines", nullptr)) {
      o_.line_markers = false;
    } else if (named(word, "trans", nullptr)) {
      stop_at(Stage::kTranslate);
    } else if (named(word, "version", nullptr)) {
      o_.version = true;
    } else if (named(word, "show-sizes", nullptr)) {
      o_.sizes = true;
    } else if (word.compare(0, 4, "-Wc,") == 0) {
      pass_to_compiler(word);
    } else {
      // upcc reads no file of options and keeps nothing of a link.
      return named(word, "norc", nullptr) || named(word, "nolink-cache", nullptr);
    }
    return true;
  }

  // -Wc,A,B: A and B, for the compiler alone, whatever they mean to upcc.
  void pass_to_compiler(const std::string& word) {
    std::size_t from = 4;
    while (from <= word.size()) {
      const std::size_t comma = std::min(word.find(',', from), word.size());
      const std::string option = word.substr(from, comma - from);
      if (option.empty()) die(word + ": an option for the compiler is empty");
      if (option.compare(0, 2, "-O") == 0) o_.optimize = true;
      o_.compile.push_back(option);
      if (classify(option).takes == Takes::kBoth) o_.both.push_back(option);
      from = comma + 1;
    }
  }

  // Options of programs for the GCC/UPC face, and the spellings that its compilers have for them.
  bool parse_gupc_option(const std::string& word) {
    std::string value;
    if (named(word, "abi", &value)) {
      if (value != "upcr" && value != "gupc") die("--abi: '" + value + "' is neither upcr nor gupc");
      o_.gupc.on = value == "gupc";
      return true;
    }
    const bool theirs = word.compare(0, 6, "-fupc-") == 0;
    if (theirs && first_gupc_option_.empty()) first_gupc_option_ = word;
    for (const std::string name : {"pts", "pts-vaddr-order", "packed-bits"})
      if (named(word, name, &value)) {
        if (first_gupc_option_.empty()) first_gupc_option_ = word;
        set_gupc_option(o_.gupc, "fupc-" + name, value);
        return true;
      }
    if (!theirs) return false;
    const std::size_t equals = word.find('=');
    if (word.compare(0, 14, "-fupc-threads-") == 0)
      o_.threads = parse_count("-fupc-threads-N", word.substr(14), UPCR_MAX_THREADS);
    else if (word.compare(0, 27, "-fupc-pthreads-per-process-") == 0)
      o_.pthreads_per_process =
          parse_count("-fupc-pthreads-per-process-N", word.substr(27), UPCR_MAX_PTHREADS);
    else if (equals == std::string::npos)
      set_gupc_option(o_.gupc, word.substr(1), "");
    else
      set_gupc_option(o_.gupc, word.substr(1, equals - 1), word.substr(equals + 1));
    return true;
  }

  bool own_short(const std::string& word) {
    if (word == "-o") {
      o_.output = argument(word);
    } else if (word.compare(0, 2, "-T") == 0 &&
               (word.size() == 2 || std::isdigit(word[2]) || word[2] == '=')) {
      const std::size_t skip = word.size() > 2 && word[2] == '=' ? 3 : 2;
      o_.threads = parse_count("-T", word.size() == 2 ? argument(word) : word.substr(skip), UPCR_MAX_THREADS);
    } else if (word == "-v") {
      echo.print = true;
    } else if (word == "-x") {
      language_ = argument(word);
      if (language_ == "none") language_.clear();
    } else if (word.compare(0, 2, "-o") == 0) {
      o_.output = word.substr(2);
    } else {
      return false;
    }
    return true;
  }

  void stop_at(Stage stage) {
    // As in compilers, the earliest stage of those asked for counts.
    if (o_.stage == Stage::kLink || static_cast<int>(stage) > static_cast<int>(o_.stage)) o_.stage = stage;
  }

  bool stage(const std::string& word) {
    if (word == "-c") {
      stop_at(Stage::kCompile);
    } else if (word == "-S") {
      stop_at(Stage::kAssemble);
    } else if (word == "-E") {
      stop_at(Stage::kPreprocess);
    } else if (word == "-fsyntax-only") {
      stop_at(Stage::kSyntax);
    } else if (word == "-M" || word == "-MM") {
      stop_at(Stage::kDependencies);
      o_.compile.push_back(word);
    } else {
      return false;
    }
    return true;
  }

  bool dependencies(const std::string& word) {
    if (word == "-MF") {
      o_.dependency_file = argument(word);
      return true;
    }
    if (word == "-MD" || word == "-MMD") o_.writes_dependencies = true;
    if (word == "-MT" || word == "-MQ") o_.has_dependency_target = true;
    return false;  // and on to the compiler
  }

  void file(const std::string& word) {
    Input input;
    input.word = word;
    input.language = language_;
    input.source = !language_.empty() || is_source_name(word);
    o_.inputs.push_back(input);
  }

  void record_effects(const std::string& word) {
    if (word == "-g" || word == "-g2" || word == "-g3" || word.compare(0, 5, "-ggdb") == 0) o_.debug = true;
    if (word == "-g0") o_.debug = false;
    if (word.compare(0, 2, "-O") == 0) o_.optimize = true;
    if (word == "-shared" || word == "-r") o_.no_program = true;
    if (is_compiler_query(word)) o_.compiler_query_only = true;
  }

  void foreign(const std::string& word) {
    record_effects(word);
    const CompilerOption option = classify(word);
    Words taken = {word};
    if (option.has_argument) taken.push_back(argument(word));
    if (option.takes != Takes::kLink) o_.compile.insert(o_.compile.end(), taken.begin(), taken.end());
    if (option.takes == Takes::kBoth) o_.both.insert(o_.both.end(), taken.begin(), taken.end());
    if (option.takes == Takes::kCompile) return;
    for (const std::string& piece : taken) {
      Input input;
      input.word = piece;
      input.is_option = true;
      o_.inputs.push_back(input);
    }
  }

  Words words_;
  std::size_t at_ = 0;
  std::string language_, encoding_;
  std::string first_gupc_option_;  // the first option of --abi=gupc that was given
  Options o_;
};

}  // namespace

bool Options::has_sources() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& input) { return input.source; });
}

Options parse(int argc, char** argv) { return Walk(expand_response_files(argc, argv)).take(); }

}  // namespace upcc
