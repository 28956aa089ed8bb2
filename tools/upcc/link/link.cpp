// SPDX-License-Identifier: BSD-3-Clause
// See link.hpp.
#include "tools/upcc/link/link.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/base/install.hpp"
#include "tools/upcc/base/temp_dir.hpp"
#include "tools/upcc/link/startup.hpp"
#include "tools/upcc/link/static_names.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

namespace fs = std::filesystem;

void append(Arguments& to, const Arguments& arguments) {
  to.insert(to.end(), arguments.begin(), arguments.end());
}

// What the linker sees of the inputs: the arguments of -Wl, one by one, and those of -Xlinker without it.
std::vector<JobInput> as_linked(const std::vector<JobInput>& inputs) {
  std::vector<JobInput> linked;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& argument = inputs[i].file;
    if (inputs[i].kind != InputKind::kLinkOption || argument.rfind("-Wl,", 0) != 0) {
      if (argument != "-Xlinker") linked.push_back(inputs[i]);
      continue;
    }
    for (std::size_t from = 4; from <= argument.size();) {
      const std::size_t comma = std::min(argument.find(',', from), argument.size());
      linked.push_back({argument.substr(from, comma - from), InputKind::kLinkOption, argument, {}});
      from = comma + 1;
    }
  }
  return linked;
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

// Where libraries may be that upcc has compiled: not in the system's own folders, but where administrators
// install what is not the system's.
Arguments search_dirs(const std::vector<JobInput>& inputs, const std::vector<JobInput>& linked) {
  Arguments dirs;
  const auto add = [&dirs](const std::vector<JobInput>& from, const std::string& option) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (const std::string dir = argument_at(from, i, option); !dir.empty()) dirs.push_back(dir);
  };
  add(linked, "-L");
  add(linked, "--library-path=");
  add(inputs, "-B");  // the compiler's; the linker's is -Bstatic
  const char* const of_environment = std::getenv("LIBRARY_PATH");
  std::istringstream path(of_environment != nullptr ? of_environment : "");
  for (std::string dir; std::getline(path, dir, ':');) dirs.push_back(dir.empty() ? "." : dir);
  dirs.insert(dirs.end(), {"/usr/local/lib", "/usr/local/lib64"});
  return dirs;
}

// Whether inputs[i] is a file that -Wl, or -Xlinker names, and not the argument of an option before it.
bool is_file_of_linker(const std::vector<JobInput>& inputs, std::size_t i) {
  static const Arguments kWithFile = {"-Map", "-soname",       "-h", "-rpath", "-rpath-link",
                                      "-o",   "--exclude-libs"};
  const std::string& argument = inputs[i].file;
  const bool is_named = argument.ends_with(".o") || argument.ends_with(".a") || argument.ends_with(".so");
  std::error_code ignored;
  return is_named && argument[0] != '-' && fs::is_regular_file(argument, ignored) &&
         (i == 0 || std::find(kWithFile.begin(), kWithFile.end(), inputs[i - 1].file) == kWithFile.end());
}

// The path of a -l library in a folder of `dirs`, or nothing.
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
  if (!program.main_in.empty() || program.symbols_hidden) {
    if (!program.symbols_hidden && !program.starts_runtime && !program.uses_runtime_in.empty())
      warn(
          "main() in " + program.main_in +
          " is not UPC, and nothing calls bupc_init() or bupc_init_reentrant(): the UPC of " +
          program.uses_runtime_in +
          " runs without its runtime. Let main() be in a file of UPC, or call bupc_init() first (--extern-main)");
    return MainProvider::kUser;
  }
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
  append(command, options_of_temporary(options.common_options));
  append(command, install().compile_options());
  if (program.debug) command.push_back("-DUPCR_DEBUG=1");
  if (program.threads != 0) command.push_back("-D__UPC_STATIC_THREADS__=1");
  if (options.pthreads) command.push_back("-DUPCRI_USING_TLD=1");
  append(command, {"-std=gnu99", "-fno-lto", "-w", "-c", "-o", object, source});
  return run(command) == 0 ? object : std::string();
}

}  // namespace

std::vector<LinkedFile> linked_files(const Job& job) {
  const std::vector<JobInput> inputs = as_linked(job.inputs);
  const Arguments dirs = search_dirs(job.inputs, inputs);
  std::vector<LinkedFile> files;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& argument = inputs[i].file;
    std::string library = argument_at(inputs, i, "-l");
    if (library.empty()) library = argument_at(inputs, i, "--library=");
    if (!is_option(inputs[i])) {
      files.push_back({argument, inputs[i].name});
    } else if (!library.empty()) {
      if (const std::string file = find_library(library, dirs); !file.empty()) files.push_back({file, file});
    } else if (is_file_of_linker(inputs, i)) {
      files.push_back({argument, argument});
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
  if (options.joins_objects) return {"-o", job.output};
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
  if (command_mode.run && (options.static_libupcr || options.fully_static) && !options.joins_objects)
    warn_of_static_names(program.defined, trailing.front());
  append(command, trailing);
  return run(command);
}

}  // namespace upcc
