// SPDX-License-Identifier: BSD-3-Clause
// See link.hpp.
#include "tools/upcc/link/link.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/upcc/base/install.hpp"
#include "tools/upcc/compile/compile.hpp"
#include "tools/upcc/link/startup.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

void append(Words& to, const Words& words) { to.insert(to.end(), words.begin(), words.end()); }

// The argument of option `name` at inputs[i], joined or the next word; empty when it is another option.
std::string argument_at(const std::vector<Input>& inputs, std::size_t i, const std::string& name) {
  const std::string& word = inputs[i].word;
  if (!inputs[i].is_option || word.compare(0, name.size(), name) != 0) return {};
  if (word.size() > name.size()) return word.substr(name.size());
  return i + 1 < inputs.size() ? inputs[i + 1].word : std::string();
}

Words search_dirs(const Options& options) {
  Words dirs;
  for (std::size_t i = 0; i < options.inputs.size(); ++i)
    if (const std::string dir = argument_at(options.inputs, i, "-L"); !dir.empty()) dirs.push_back(dir);
  return dirs;
}

// A -l library in a -L folder; those of the system hold no translated code.
std::string find_library(const std::string& name, const Words& dirs) {
  const Words files =
      name[0] == ':' ? Words{name.substr(1)} : Words{"lib" + name + ".so", "lib" + name + ".a"};
  for (const std::string& dir : dirs)
    for (const std::string& file : files)
      if (fs::exists(fs::path(dir) / file)) return (fs::path(dir) / file).string();
  return {};
}

MainProvider choose_main(const Program& program, const Options& options) {
  if (options.extern_main) return MainProvider::kUser;
  if (!program.user_main_in.empty()) {
    if (program.main_is_linked)
      die("both main() in " + program.main_in + " and user_main() in " + program.user_main_in +
          ": which is to start? With --extern-main it is main(), which calls bupc_init or "
          "bupc_init_reentrant");
    return MainProvider::kGenerated;
  }
  // What upcc compiles of a translator's always shows its names.
  if (!program.main_in.empty() || program.hidden) return MainProvider::kUser;
  die("no main: none of the files defines user_main(), a translated program's main function, or main(); is a "
      "file "
      "missing? Where a library has main(), give --extern-main");
}

// Compiles the start-up file. Returns the object's path, or nothing on failure.
std::string make_startup(const Program& program, const Options& options, MainProvider main_provider) {
  const std::string source = temp_file("upcc_startup.c"), object = temp_file("upcc_startup.o");
  if (echo.run) {
    std::ofstream file(source);
    file << startup_text(program, options, main_provider);
    if (!file.flush()) die("cannot write " + source + "; is the disk full?");
  }
  Words command = c_compiler();
  append(command, options.both);
  append(command, install().compile_words());
  if (program.debug) command.push_back("-DUPCR_DEBUG=1");
  if (program.threads != 0) command.push_back("-D__UPC_STATIC_THREADS__=1");
  if (options.pthreads) command.push_back("-DUPCRI_USING_TLD=1");
  append(command, {"-std=gnu99", "-fno-lto", "-w", "-c", "-o", object, source});
  return run(command) == 0 ? object : std::string();
}

}  // namespace

const std::string& file_of(const Input& input) { return input.source ? input.object : input.word; }

std::vector<LinkedFile> linked_files(const Options& options) {
  const Words dirs = search_dirs(options);
  std::vector<LinkedFile> files;
  for (std::size_t i = 0; i < options.inputs.size(); ++i) {
    const Input& input = options.inputs[i];
    const std::string library = argument_at(options.inputs, i, "-l");
    const bool argument = i > 0 && options.inputs[i - 1].is_option && input.is_option;
    if (!input.is_option) {
      files.push_back({file_of(input), input.word});
    } else if (!library.empty() && !(argument && options.inputs[i - 1].word == "-Xlinker")) {
      if (const std::string file = find_library(library, dirs); !file.empty()) files.push_back({file, file});
    }
  }
  return files;
}

Words linker(const Options& options) {
  const bool cxx = std::any_of(options.inputs.begin(), options.inputs.end(),
                               [](const Input& input) { return input.source && is_cxx(input); });
  if (options.link_with == "CXX" || (options.link_with.empty() && cxx)) return cxx_compiler();
  if (options.link_with == "CC" || options.link_with.empty()) return c_compiler();
  std::istringstream words(options.link_with);
  Words command;
  for (std::string word; words >> word;) command.push_back(word);
  return command;
}

Words trailing_options(const Options& options, bool debug) {
  Words words = {install().library(debug)};
  if (options.instrument) append(words, {"-u", "gasp_init"});  // a tool in an archive comes along
  append(words, {"-Xlinker", "-rpath", "-Xlinker", install().lib_dir});
  if (!options.no_program) words.push_back("-rdynamic");
  if (!install().sanitize.empty()) words.push_back("-fsanitize=" + install().sanitize);
  append(words, {"-pthread", "-lm", "-o", options.output.empty() ? "a.out" : options.output});
  return words;
}

int link(const Options& options) {
  Program program;
  program.debug = options.debug;
  program.threads = options.threads;
  if (echo.run) program = examine(linked_files(options), options);
  Words command = linker(options);
  if (!options.no_program) {
    const MainProvider main_provider = echo.run ? choose_main(program, options) : MainProvider::kGenerated;
    const std::string startup = make_startup(program, options, main_provider);
    if (startup.empty()) return 1;
    command.push_back(startup);
  }
  for (const Input& input : options.inputs) command.push_back(input.is_option ? input.word : file_of(input));
  append(command, trailing_options(options, program.debug));
  return run(command);
}

}  // namespace upcc
