// SPDX-License-Identifier: BSD-3-Clause
// See compile.hpp.
#include "tools/upcc/compile/compile.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "include/upcr/types.h"
#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/base/file.hpp"
#include "tools/upcc/base/install.hpp"
#include "tools/upcc/base/temp_dir.hpp"
#include "tools/upcc/compile/auxiliary.hpp"
#include "tools/upcc/compile/dependencies.hpp"
#include "tools/upcc/compile/predefined.hpp"
#include "tools/upcc/compile/rewrite.hpp"
#include "tools/upcc/object/hidden_names.hpp"
#include "tools/upcc/object/tld_sections.hpp"
#include "tools/upcc/options/encoding.hpp"
#include "tools/upcc/options/gupc.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

void append(Arguments& to, const Arguments& arguments) {
  to.insert(to.end(), arguments.begin(), arguments.end());
}

Arguments stage_options(Stage stage) {
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

void check_compatibility(const std::string& path, const SourceInfo& source) {
  if (source.want_major >= 0 &&
      (source.want_major != UPCR_RUNTIME_SPEC_MAJOR || source.want_minor > UPCR_RUNTIME_SPEC_MINOR))
    fatal(path + ": translated for version " + std::to_string(source.want_major) + "." +
          std::to_string(std::max(source.want_minor, 0)) +
          " of the runtime specification, this upcr provides " + std::to_string(UPCR_RUNTIME_SPEC_MAJOR) +
          "." + std::to_string(UPCR_RUNTIME_SPEC_MINOR) +
          "; use a translator for this upcr's version, or an upcr of that version");
  const std::pair<int, int> sizes[] = {{source.shared_size, UPCR_SHARED_SIZE},
                                       {source.pshared_size, UPCR_PSHARED_SIZE}};
  for (const auto& [wanted, here] : sizes)
    if (wanted >= 0 && wanted != here)
      fatal(path + ": translated for pointers-to-shared of " + std::to_string(wanted) +
            " bytes, this upcr has " + std::to_string(here) +
            "; translate it with what 'upcc --sizes' prints, or configure upcr with " +
            "-DUPCR_POINTER_LAYOUT=" + (wanted == 16 ? "struct" : "packed"));
}

// The options for the language: of other translators' C always the same; of upcc's own what the user's
// options ask of the UPC source. Its columns are not those of the source, so messages show lines only.
Arguments language_options(const Options& options, const SourceInfo& source, bool own_translation,
                           bool clang) {
  if (!own_translation) return {"-std=gnu99", "-fgnu89-inline", "-w", "-D_GNU_SOURCE=1"};
  Arguments arguments;
  if (!source.defines_gnu_source) arguments.push_back("-D_GNU_SOURCE=1");
  append(arguments, language_macros(options));  // for the headers of the system, which are read again
  append(arguments, upc_compiler_options(options.compile_options));
  // Of these the front end or the preprocessor warns.
  append(arguments, {"-Wno-implicit-int", "-Wno-implicit-function-declaration", "-Wno-int-conversion",
                     "-Wno-trigraphs"});
  // Of shared objects alone they are not used in C.
  arguments.push_back("-Wno-unused-local-typedefs");
  // A switch begins with the mark of a statement then.
  if (!clang && options.debug) arguments.insert(arguments.begin(), "-Wno-switch-unreachable");
  // Old C has "return;" in functions of int, an error of clang alone; what the user says comes later.
  if (clang) arguments.insert(arguments.begin(), "-Wno-error=return-type");
  // Debuggers need the types of shared objects, of which the C has no variables.
  if (options.debug) arguments.push_back("-fno-eliminate-unused-debug-types");
  append(arguments, {"-fno-show-column", clang ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret"});
  return arguments;
}

// Loops on private pointers are loops of C, which gcc makes vectors of at -O3 only, or at -O2 where it is
// told so.
Arguments vector_options(const Options& options, bool clang) {
  const bool observed = options.debug || options.instrument;
  if (clang || loop_level(options.upc, options.compile_options, observed) < 2) return {};
  for (const std::string& option : options.compile_options)
    for (const char* start : {"-ftree-", "-fno-tree-", "-fvect-", "-O0"})
      if (option.rfind(start, 0) == 0) return {};
  return {"-ftree-vectorize", "-fvect-cost-model=dynamic"};
}

// The options that translated C needs whatever the user's options say. They come last, so that they win.
Arguments translated_c_options(const std::string& path, const SourceInfo& source, const Options& options,
                               bool own_translation) {
  const Arguments cc = c_compiler();
  const bool clang = is_clang(cc);
  const std::string own = fs::path(path).parent_path().string();
  Arguments arguments = {"-iquote", own.empty() ? "." : own};
  append(arguments, language_options(options, source, own_translation, clang));
  append(arguments, {"-fcommon", "-fno-strict-aliasing", "-fdata-sections", "-fno-lto",
                     "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                     "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
                     "-Wno-error=conversion", "-Wno-error=sign-conversion", "-Wno-error=float-conversion",
                     "-D__BERKELEY_UPC_SECOND_PREPROCESS__=1", "-DUPCRI_CC=\"" + cc[0] + "\"",
                     clang ? "-DUPCRI_COMPILER_CLANG=1" : "-DUPCRI_COMPILER_GNU=1", "-DUPCRI_TLD_PLACED=1"});
  append(arguments, library_macros());
  // gcc places equal variables that are never written at one address, but each has a section of its own here.
  if (!clang) arguments.push_back("-fno-ipa-icf-variables");
  if (!options.optimize && !options.debug) arguments.push_back("-O2");
  if (own_translation) append(arguments, vector_options(options, clang));
  if (options.pthreads) arguments.push_back("-DUPCRI_USING_TLD=1");
  if (options.threads != 0)
    append(arguments, {"-D__UPC_STATIC_THREADS__=1", "-DTHREADS=" + std::to_string(options.threads)});
  if (options.instrument) {
    if (source.redeclares)
      fatal(path + ": declares functions of the runtime itself, so its calls cannot be instrumented; " +
            "compile it without " + (options.statistics ? "--stats" : "--inst"));
    arguments.push_back("-DUPCR_GASP=1");
    if (options.statistics) arguments.push_back("-DUPCR_STATS=1");
  }
  if (options.instrument_functions) arguments.push_back("-DUPCR_GASP_FUNCTIONS=1");
  if (options.instrument_local) arguments.push_back("-DUPCR_GASP_LOCAL=1");
  if (source.redeclares) arguments.push_back("-DUPCR_NO_CALLSITES=1");
  // The front end has expanded a macro of the user's with that name.
  if (source.defines_main && !options.extern_main) append(arguments, {"-Umain", "-Dmain=user_main"});
  return arguments;
}

// The encoding of the file's flags and operators; reported with -v, with the reason.
int encoding_of(const std::string& path, const std::string& text, const std::vector<Token>& tokens,
                const Options& options) {
  const EncodingChoice choice = choose_encoding(path, text, tokens, options.encoding);
  if (command_mode.print)
    note(path + ": flags and operators as in " + choice.encoding->name + " (" + choice.why + ")");
  return choice.encoding->number;
}

// The part of the command that every compilation of this input needs. `ours_first`: upcr's headers.
Arguments compiler_command(const Options& options, const JobInput& input, bool ours_first) {
  Arguments command = input.kind == InputKind::kCxx ? cxx_compiler() : c_compiler();
  // Of translated C first: the user's -I may have another runtime's headers. Of other C last: a header of the
  // program's wins over one of upcr's, or of what shares its folder, that has its name.
  if (ours_first) append(command, install().compile_options());
  if (input.kind != InputKind::kTranslation) append(command, options.compile_options);
  if (!ours_first) append(command, install().compile_options());
  if (options.debug) command.push_back("-DUPCR_DEBUG=1");
  if (options.gupc.on) append(command, gupc_compile_options(options.gupc, options.threads));
  append(command, stage_options(options.stage));
  return command;
}

// Where the rules for make go of an object that is temporary; otherwise the compiler finds a name itself.
Arguments dependency_options(const Options& options, const Job& job) {
  Arguments arguments;
  if (!options.dependency_file.empty()) arguments = {"-MF", options.dependency_file};
  if (!options.writes_dependencies || options.stage != Stage::kLink) return arguments;
  const MakeRule rule = rule_in_link(options, job.input().name);
  if (arguments.empty()) arguments = {"-MF", rule.file};
  if (!options.has_dependency_target) append(arguments, {"-MQ", rule.target});
  return arguments;
}

int compile_unchanged(const Options& options, const Job& job) {
  // With --abi=gupc it is C of that mode.
  Arguments command = compiler_command(options, job.input(), options.gupc.on);
  append(command, dependency_options(options, job));
  append(command, auxiliary_options(options, job));
  if (!job.output.empty()) append(command, {"-o", job.output});
  if (!job.input().language.empty()) append(command, {"-x", job.input().language});
  command.push_back(job.input().file);
  return run(command);
}

// Preprocesses the copy and corrects `source` by the result. `command` is the one that is going to compile
// the copy: an error that stops the preprocessor is reported by that compilation, so none is reported here.
void rescan_behind_macros(Arguments command, const std::string& copy, SourceInfo& source) {
  const std::string preprocessed = copy + ".i";
  for (std::string& argument : command)
    if (argument == "-c" || argument == "-S" || argument == "-fsyntax-only") argument = "-E";
  append(command, {"-DUPCRI_TLD_SCAN=1", "-x", "c", copy, "-o", preprocessed});
  output_of(command);
  if (!fs::exists(preprocessed)) return;
  const std::string text = read_file(preprocessed);
  rescan_preprocessed(tokens_of(text), source);
}

std::string copy_of(const Job& job) {
  return temp_file(std::to_string(job.number) + "-" + fs::path(job.input().name).stem().string() + ".c");
}

// Compiles `copy`, which holds translated C, by `command`.
int compile_copy(const Options& options, const Job& job, Arguments command, const std::string& copy,
                 const SourceInfo& source) {
  // Debug information names the source: the copy is removed, and its name differs each time.
  command.push_back("-fdebug-prefix-map=" + copy + "=" + job.input().name);
  if (!job.output.empty() && options.stage != Stage::kDependencies) append(command, {"-o", job.output});
  append(command, auxiliary_options(options, job));
  append(command, {"-x", "c", copy});
  int status = run(command);
  if (status != 0 || (options.stage != Stage::kLink && options.stage != Stage::kCompile)) return status;
  status = move_tld_to_sections(job.output, source);
  if (status == 0) hide_names_of_libc(job.output, options, source);
  if (status != 0) unlink(job.output.c_str());
  return status;
}

int compile_translated(const Options& options, const Job& job, const std::string& text,
                       const std::vector<Token>& tokens, SourceInfo& source) {
  const std::string& name = job.input().name;
  const std::string copy = copy_of(job);
  Arguments command = compiler_command(options, job.input(), true);
  append(command, translated_c_options(name, source, options, false));
  source.encoding = encoding_of(name, text, tokens, options);
  command.push_back("-DUPCRI_ENCODING=" + std::to_string(source.encoding));
  if (source.tld_needs_preprocessing && command_mode.run) {
    write_file(copy, rewrite_source(name, text, tokens, source, options));
    rescan_behind_macros(command, copy, source);
  }
  if (command_mode.run)
    write_file(copy, rewrite_source(name, text, tokens, source, options) + trailer(name, source, options));
  const Dependencies dependencies(options, name, copy, job.output);
  append(command, dependencies.arguments());
  const int status = compile_copy(options, job, command, copy, source);
  if (status == 0) dependencies.finish();
  return status;
}

// The program's macros of -D are for the system headers that the translation includes. Its own text is
// expanded, and upcr's headers must not be: a program may be compiled with -Dn=100.
std::string undefine_user_macros(const std::string& text, const Options& options) {
  constexpr const char* kOwnHeader = "\n#include <upcr/upc2c.h>\n";
  const std::size_t at = text.find(kOwnHeader);
  if (at == std::string::npos) return text;
  std::string directives = "\n";
  for (const std::string& name : macros_of_command_line(options.compile_options))
    if (name.rfind("UPCR", 0) != 0 && name.rfind("__", 0) != 0) directives += "#undef " + name + "\n";
  directives.pop_back();
  return text.substr(0, at) + directives + text.substr(at);
}

// The C that upcc has made of UPC source: it has no macros that hide anything, and the numbers of flags and
// operators are those of upcr's headers. The rule for make was written when the source was preprocessed.
int compile_translation(const Options& options, const Job& job) {
  const std::string& name = job.input().name;
  const std::string copy = copy_of(job);
  SourceInfo source;
  if (command_mode.run) {
    const std::string text = undefine_user_macros(read_file(job.input().file), options);
    const std::vector<Token> tokens = tokens_of(text);
    source = scan_source(text, tokens, job.input().file);
    source.encoding = encodings().front().number;
    // With --pthreads every use is by UPCR_TLD_ADDR; what looks like another is a name of something else.
    if (options.pthreads) source.direct_uses.clear();
    write_file(copy, rewrite_source(name, text, tokens, source, options) + trailer(name, source, options));
  }
  Arguments command = compiler_command(options, job.input(), true);
  append(command, translated_c_options(name, source, options, true));
  command.push_back("-DUPCRI_ENCODING=" + std::to_string(encodings().front().number));
  const int status = compile_copy(options, job, command, copy, source);
  if (status != 0 && is_writable(job.output))  // else the compiler has said so
    note("the C compiler has refused the translation of " + name +
         ", with lines of that file in its messages; --keep-trans keeps the translation");
  return status;
}

}  // namespace

int compile(const Options& options, const Job& job) {
  const JobInput& input = job.input();
  if (input.kind == InputKind::kTranslation) return compile_translation(options, job);
  if (options.gupc.on || input.kind != InputKind::kC) return compile_unchanged(options, job);
  const std::string text = read_file(input.file);
  const std::vector<Token> tokens = tokens_of(text);
  SourceInfo source = scan_source(text, tokens, input.file);
  if (!source.translated) return compile_unchanged(options, job);
  check_compatibility(input.name, source);
  return compile_translated(options, job, text, tokens, source);
}

int rewrite(const Options& options, const Job& job) {
  const JobInput& input = job.input();
  if (options.gupc.on || input.kind != InputKind::kC)
    fatal(input.name + ": -trans is for C that a UPC-to-C translator wrote; this is another kind of file");
  const std::string text = read_file(input.file);
  const std::vector<Token> tokens = tokens_of(text);
  const SourceInfo source = scan_source(text, tokens, input.file);
  if (!source.translated)
    fatal(input.name + ": -trans is for C that a UPC-to-C translator wrote; this is other C");
  check_compatibility(input.name, source);
  std::error_code ignored;
  if (fs::equivalent(job.output, input.file, ignored))
    fatal(job.output + ": -trans would write over its input; name another file with -o");
  if (command_mode.run) write_file(job.output, rewrite_source(input.name, text, tokens, source, options));
  return 0;
}

}  // namespace upcc
