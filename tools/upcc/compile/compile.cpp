// SPDX-License-Identifier: BSD-3-Clause
// See compile.hpp.
#include "tools/upcc/compile/compile.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "include/upcr/types.h"
#include "tools/upcc/base/install.hpp"
#include "tools/upcc/compile/dependencies.hpp"
#include "tools/upcc/compile/predefined.hpp"
#include "tools/upcc/compile/rewrite.hpp"
#include "tools/upcc/object/tld_sections.hpp"
#include "tools/upcc/options/encoding.hpp"
#include "tools/upcc/options/gupc.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

Words compiler(const char* variable, const char* usual) {
  const char* value = ::secure_getenv(variable);
  std::istringstream words(value != nullptr ? value : "");
  Words command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.push_back(usual);
  return command;
}

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

std::string extension_of(const Input& input) { return fs::path(input.word).extension().string(); }

bool is_c(const Input& input) {
  return input.language == "c" || (input.language.empty() && extension_of(input) == ".c");
}

std::string read_source(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) die(path + ": cannot read this file");
  return {std::istreambuf_iterator<char>(file), {}};
}

// What the object is called when -o does not say.
std::string default_output(const Input& input, const char* extension) {
  return fs::path(input.word).stem().string() + extension;
}

std::string output_of_stage(const Options& options, const Input& input, std::size_t number) {
  switch (options.stage) {
    case Stage::kLink:
      return temp_file(std::to_string(number) + "-" + default_output(input, ".o"));
    case Stage::kCompile:
      return options.output.empty() ? default_output(input, ".o") : options.output;
    case Stage::kAssemble:
      return options.output.empty() ? default_output(input, ".s") : options.output;
    default:
      return options.output;
  }
}

Words stage_words(Stage stage) {
  switch (stage) {
    case Stage::kAssemble:
      return {"-S"};
    case Stage::kPreprocess:
      return {"-E"};
    case Stage::kSyntax:
      return {"-fsyntax-only"};
    case Stage::kDependencies:
      return {};
    default:
      return {"-c"};
  }
}

void check_compatibility(const std::string& path, const SourceInfo& scan) {
  if (scan.want_major >= 0 &&
      (scan.want_major != UPCR_RUNTIME_SPEC_MAJOR || scan.want_minor > UPCR_RUNTIME_SPEC_MINOR))
    die(path + ": translated for version " + std::to_string(scan.want_major) + "." +
        std::to_string(std::max(scan.want_minor, 0)) + " of the runtime specification, this upcr provides " +
        std::to_string(UPCR_RUNTIME_SPEC_MAJOR) + "." + std::to_string(UPCR_RUNTIME_SPEC_MINOR) +
        "; use a translator for that version, or another upcr");
  const std::pair<int, int> sizes[] = {{scan.shared_size, UPCR_SHARED_SIZE},
                                       {scan.pshared_size, UPCR_PSHARED_SIZE}};
  for (const auto& [wanted, here] : sizes)
    if (wanted >= 0 && wanted != here)
      die(path + ": translated for pointers-to-shared of " + std::to_string(wanted) +
          " bytes, this upcr has " + std::to_string(here) +
          "; translate it with what 'upcc --sizes' prints, or configure upcr with " +
          "-DUPCR_POINTER_LAYOUT=" + (wanted == 16 ? "struct" : "packed"));
}

// What this kind of C needs, whatever the user's options say: last, so that it wins.
Words translated_words(const std::string& path, const SourceInfo& scan, const Options& options) {
  const Words cc = c_compiler();
  const bool clang = fs::path(cc[0]).filename().string().find("clang") != std::string::npos;
  const std::string own = fs::path(path).parent_path().string();
  Words words = {"-iquote",
                 own.empty() ? "." : own,
                 "-std=gnu99",
                 "-fgnu89-inline",
                 "-fcommon",
                 "-fno-strict-aliasing",
                 "-fdata-sections",
                 "-fno-lto",
                 "-w",
                 "-Wno-error=implicit-function-declaration",
                 "-Wno-error=implicit-int",
                 "-Wno-error=int-conversion",
                 "-Wno-error=incompatible-pointer-types",
                 "-D_GNU_SOURCE=1",
                 "-D__BERKELEY_UPC_SECOND_PREPROCESS__=1",
                 "-DUPCRI_CC=\"" + cc[0] + "\"",
                 clang ? "-DUPCRI_COMPILER_CLANG=1" : "-DUPCRI_COMPILER_GNU=1",
                 "-DUPCRI_TLD_PLACED=1"};
  append(words, library_macros());
  if (!options.optimize && !options.debug) words.push_back("-O2");
  if (options.pthreads) words.push_back("-DUPCRI_USING_TLD=1");
  if (options.threads != 0)
    append(words, {"-D__UPC_STATIC_THREADS__=1", "-DTHREADS=" + std::to_string(options.threads)});
  if (options.instrument) {
    if (scan.redeclares)
      die(path +
          ": declares functions of the runtime again, so its calls cannot be instrumented; compile it "
          "without --inst");
    words.push_back("-DUPCR_GASP=1");
  }
  if (options.instrument_functions) words.push_back("-DUPCR_GASP_FUNCTIONS=1");
  if (options.instrument_local) words.push_back("-DUPCR_GASP_LOCAL=1");
  if (scan.redeclares) words.push_back("-DUPCR_NO_CALLSITES=1");
  if (scan.defines_main && !options.extern_main) words.push_back("-Dmain=user_main");
  return words;
}

// The encoding of the file's flags and operators; reported with -v, with the reason.
int encoding_of(const std::string& path, const std::string& text, const std::vector<Token>& tokens,
                const Options& options) {
  const EncodingChoice choice = choose_encoding(path, text, tokens, options.encoding);
  if (echo.print)
    tell(path + ": flags and operators as in " + choice.encoding->name + " (" + choice.why + ")");
  return choice.encoding->number;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) die("cannot write " + path + "; is the disk full?");
}

struct Job {
  const Input& input;
  std::string output;
  Words words;  // the command so far
};

int compile_plain(const Options& options, Job& job) {
  if (!options.dependency_file.empty()) append(job.words, {"-MF", options.dependency_file});
  if (!job.output.empty()) append(job.words, {"-o", job.output});
  if (!job.input.language.empty()) append(job.words, {"-x", job.input.language});
  job.words.push_back(job.input.word);
  return run(job.words);
}

// `command` compiles the copy. A failure here is one there too, with messages.
void rescan_behind_macros(Words command, const std::string& copy, SourceInfo& scan) {
  const std::string preprocessed = copy + ".i";
  for (std::string& word : command)
    if (word == "-c" || word == "-S" || word == "-fsyntax-only") word = "-E";
  append(command, {"-DUPCRI_TLD_SCAN=1", "-x", "c", copy, "-o", preprocessed});
  output_of(command);
  if (!fs::exists(preprocessed)) return;
  const std::string text = read_source(preprocessed);
  rescan_preprocessed(tokens_of(text), scan);
}

int compile_translated(const Options& options, Job& job, std::size_t number, const std::string& text,
                       const std::vector<Token>& tokens, SourceInfo& scan) {
  const std::string copy = temp_file(std::to_string(number) + "-" + default_output(job.input, ".c"));
  append(job.words, translated_words(job.input.word, scan, options));
  scan.encoding = encoding_of(job.input.word, text, tokens, options);
  job.words.push_back("-DUPCRI_ENCODING=" + std::to_string(scan.encoding));
  if (scan.tld_needs_preprocessing && echo.run) {
    write(copy, rewritten(job.input.word, text, tokens, scan, options));
    rescan_behind_macros(job.words, copy, scan);
  }
  if (echo.run)
    write(copy,
          rewritten(job.input.word, text, tokens, scan, options) + appendix(job.input.word, scan, options));
  const Dependencies dependencies(options, job.input.word, copy, job.output);
  append(job.words, dependencies.words());
  if (!job.output.empty() && options.stage != Stage::kDependencies) append(job.words, {"-o", job.output});
  append(job.words, {"-x", "c", copy});
  int status = run(job.words);
  if (status != 0) return status;
  dependencies.finish();
  if (options.stage != Stage::kLink && options.stage != Stage::kCompile) return 0;
  status = move_tld_to_sections(job.output, scan);
  if (status != 0) unlink(job.output.c_str());
  return status;
}

// -trans: the C that would be compiled, for upcc or to be read.
int write_translated(const Options& options, const Input& input, const std::string& text,
                     const std::vector<Token>& tokens, const SourceInfo& scan) {
  std::string path = options.output;
  if (path.empty()) {
    path = fs::path(input.word).filename().string();
    for (const std::string end : {".trans.c", ".w2c.c", ".upc.c", ".c"})
      if (path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0) {
        path.resize(path.size() - end.size());
        break;
      }
    path += ".trans.c";
  }
  std::error_code ignored;
  if (fs::equivalent(path, input.word, ignored))
    die(path + ": -trans would write over its input; name another file with -o");
  if (echo.run) write(path, rewritten(input.word, text, tokens, scan, options));
  return 0;
}

}  // namespace

Words c_compiler() { return compiler("UPCC_CC", "cc"); }
Words cxx_compiler() { return compiler("UPCC_CXX", "c++"); }

bool is_cxx(const Input& input) {
  static const std::set<std::string> kExtensions = {".cc",  ".cpp", ".cxx", ".c++", ".C",
                                                    ".CPP", ".cp",  ".ii",  ".hpp"};
  return input.language.empty() ? kExtensions.count(extension_of(input)) != 0
                                : input.language.compare(0, 3, "c++") == 0;
}

void name_outputs(Options& options) {
  for (std::size_t i = 0; i < options.inputs.size(); ++i)
    if (options.inputs[i].source) options.inputs[i].object = output_of_stage(options, options.inputs[i], i);
}

int compile(const Options& options, std::size_t number) {
  const Input& input = options.inputs[number];
  if (extension_of(input) == ".upc" && input.language.empty())
    die(input.word + ": this is UPC; upcc compiles the C that a UPC-to-C translator makes of it");
  Job job{input, input.object, is_cxx(input) ? cxx_compiler() : c_compiler()};
  append(job.words, install().compile_words());  // first: another runtime's headers may be in the user's -I
  append(job.words, options.compile);
  if (options.debug) job.words.push_back("-DUPCR_DEBUG=1");
  if (options.gupc.on) append(job.words, gupc_compile_options(options.gupc, options.threads));
  append(job.words, stage_words(options.stage));
  if (options.gupc.on || !is_c(input) || input.word == "-") {
    if (options.stage == Stage::kTranslate) die(input.word + ": -trans is for translated C only");
    return compile_plain(options, job);
  }
  const std::string text = read_source(input.word);
  const std::vector<Token> tokens = tokens_of(text);
  SourceInfo found = scan_source(text, tokens, input.word);
  if (!found.translated && options.stage == Stage::kTranslate)
    die(input.word + ": -trans is for C that a UPC-to-C translator wrote; this is other C");
  if (!found.translated) return compile_plain(options, job);
  check_compatibility(input.word, found);
  if (options.stage == Stage::kTranslate) return write_translated(options, input, text, tokens, found);
  return compile_translated(options, job, number, text, tokens, found);
}

}  // namespace upcc
