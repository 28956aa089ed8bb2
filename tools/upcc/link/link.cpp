// SPDX-License-Identifier: BSD-3-Clause
// See link.hpp.
#include "tools/upcc/link/link.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/base/install.hpp"
#include "tools/upcc/base/temp_dir.hpp"
#include "tools/upcc/link/startup.hpp"
#include "tools/upcc/link/static_names.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

void append(Arguments& to, const Arguments& arguments) {
  to.insert(to.end(), arguments.begin(), arguments.end());
}

bool is_option(const JobInput& input) { return input.kind == InputKind::kLinkOption; }

// The argument of option `name` at inputs[i], joined to it or the next input; empty when it is another
// option.
std::string argument_at(const std::vector<JobInput>& inputs, std::size_t i, const std::string& name) {
  const std::string& argument = inputs[i].file;
  if (!is_option(inputs[i]) || argument.compare(0, name.size(), name) != 0) return {};
  if (argument.size() > name.size()) return argument.substr(name.size());
  return i + 1 < inputs.size() ? inputs[i + 1].file : std::string();
}

Arguments search_dirs(const std::vector<JobInput>& inputs) {
  Arguments dirs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const std::string dir = argument_at(inputs, i, "-L"); !dir.empty()) dirs.push_back(dir);
  return dirs;
}

// The path of a -l library in a folder of -L, or nothing. Libraries of the system hold no translated code.
std::string find_library(const std::string& name, const Arguments& dirs) {
  const Arguments files =
      name[0] == ':' ? Arguments{name.substr(1)} : Arguments{"lib" + name + ".so", "lib" + name + ".a"};
  for (const std::string& dir : dirs)
    for (const std::string& file : files)
      if (fs::exists(fs::path(dir) / file)) return (fs::path(dir) / file).string();
  return {};
}

MainProvider choose_main(const Program& program, const Options& options) {
  if (options.extern_main) return MainProvider::kUser;
  if (!program.user_main_in.empty()) {
    if (program.main_is_linked)
      fatal("both main() in " + program.main_in + " and user_main() in " + program.user_main_in +
            "; leave one out, or give --extern-main if main() is to start, and to call bupc_init or "
            "bupc_init_reentrant");
    return MainProvider::kGenerated;
  }
  // Translated C that upcc has compiled always has visible symbols, so the main() is another file's.
  if (!program.main_in.empty() || program.symbols_hidden) return MainProvider::kUser;
  fatal(
      "no main: none of the files defines user_main(), a translated program's main function, or main(); is a "
      "file "
      "missing? Where a library has main(), give --extern-main");
}

// Compiles the start-up file. Returns the object's path, or nothing on failure.
std::string make_startup(const Program& program, const Options& options, MainProvider main_provider) {
  const std::string source = temp_file("upcc_startup.c"), object = temp_file("upcc_startup.o");
  if (command_mode.run) {
    std::ofstream file(source);
    file << startup_text(program, options, main_provider);
    if (!file.flush()) fatal("cannot write " + source + "; is the disk full?");
  }
  Arguments command = c_compiler();
  append(command, options.common_options);
  append(command, install().compile_options());
  if (program.debug) command.push_back("-DUPCR_DEBUG=1");
  if (program.threads != 0) command.push_back("-D__UPC_STATIC_THREADS__=1");
  if (options.pthreads) command.push_back("-DUPCRI_USING_TLD=1");
  append(command, {"-std=gnu99", "-fno-lto", "-w", "-c", "-o", object, source});
  return run(command) == 0 ? object : std::string();
}

}  // namespace

std::vector<LinkedFile> linked_files(const Job& job) {
  const std::vector<JobInput>& inputs = job.inputs;
  const Arguments dirs = search_dirs(inputs);
  std::vector<LinkedFile> files;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string library = argument_at(inputs, i, "-l");
    const bool behind_xlinker =
        i > 0 && is_option(inputs[i]) && is_option(inputs[i - 1]) && inputs[i - 1].file == "-Xlinker";
    if (!is_option(inputs[i])) {
      files.push_back({inputs[i].file, inputs[i].name});
    } else if (!library.empty() && !behind_xlinker) {
      if (const std::string file = find_library(library, dirs); !file.empty()) files.push_back({file, file});
    }
  }
  return files;
}

Arguments linker(const Options& options) {
  const bool cxx = std::any_of(options.inputs.begin(), options.inputs.end(),
                               [](const Input& input) { return input.kind == InputKind::kCxx; });
  if (options.link_with == "CXX" || (options.link_with.empty() && cxx)) return cxx_compiler();
  if (options.link_with == "CC" || options.link_with.empty()) return c_compiler();
  return split_command(options.link_with);
}

Arguments input_arguments(const Job& job) {
  Arguments arguments;
  for (const JobInput& input : job.inputs) arguments.push_back(input.file);
  return arguments;
}

Arguments trailing_options(const Options& options, const Job& job, bool debug) {
  const bool is_static = options.static_libupcr || options.fully_static;
  Arguments arguments =
      is_static ? install().static_library(debug, options.fully_static) : Arguments{install().library(debug)};
  if (options.instrument && !options.statistics)
    append(arguments, {"-u", "gasp_init"});  // so that a tool in an archive is linked
  if (!is_static) append(arguments, {"-Xlinker", "-rpath", "-Xlinker", install().lib_dir});
  if (!options.no_program) arguments.push_back("-rdynamic");
  if (!install().sanitize.empty()) arguments.push_back("-fsanitize=" + install().sanitize);
  append(arguments, {"-pthread", "-lm", "-o", job.output});
  return arguments;
}

int link(const Options& options, const Job& job) {
  Program program;
  program.debug = options.debug;
  program.threads = options.threads;
  if (command_mode.run) program = read_program(linked_files(job), options);
  Arguments command = linker(options);
  if (!options.no_program) {
    const MainProvider main_provider =
        command_mode.run ? choose_main(program, options) : MainProvider::kGenerated;
    const std::string startup = make_startup(program, options, main_provider);
    if (startup.empty()) return 1;
    command.push_back(startup);
  }
  append(command, input_arguments(job));
  const Arguments trailing = trailing_options(options, job, program.debug);
  if (command_mode.run && (options.static_libupcr || options.fully_static))
    warn_of_static_names(program.defined, trailing.front());
  append(command, trailing);
  return run(command);
}

}  // namespace upcc
