// SPDX-License-Identifier: BSD-3-Clause
// The link of a program of GCC-UPC's or Clang-UPC's objects: the object in which the linker sections begin,
// one generated here, the program's files in order, the object in which the sections end, the archive for the
// form of pointers-to-shared, libupcr.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string_view>

#include "tools/upcc/base/compilers.hpp"
#include "tools/upcc/base/install.hpp"
#include "tools/upcc/base/temp_dir.hpp"
#include "tools/upcc/link/link.hpp"
#include "tools/upcc/options/compiler_options.hpp"

namespace upcc {
namespace {

std::string support_file(const char* name) {
  std::string path = install().lib_dir + "/upcr/gupc/" + name;
  if (command_mode.run && !std::filesystem::exists(path))
    fatal("there is no " + path +
          ": this upcr was built with -DUPCR_GUPC=OFF, or is not installed completely");
  return path;
}

// {address_last, shifts and masks of address, thread, phase}: struct upcri_gupc_format.
std::string format_text(const Gupc& g) {
  const unsigned address = g.address_last ? 0 : g.phase_bits + g.thread_bits;
  const unsigned thread = g.address_last ? g.address_bits : g.phase_bits;
  const unsigned phase = g.address_last ? g.address_bits + g.thread_bits : 0;
  std::ostringstream out;
  out << "{" << (g.address_last ? 1 : 0) << ", " << address << ", " << thread << ", " << phase;
  for (unsigned bits : {g.address_bits, g.thread_bits, g.phase_bits})
    out << ", (UINT64_C(1) << " << bits << ") - 1";
  out << "}";
  return out.str();
}

// An identification string, for `strings PROGRAM`.
std::string ident_text(const Gupc& g) {
  std::ostringstream out;
  out << "GASNETT_IDENT(upcri_ident_gupc, \"$UPCRGupc: " << (g.is_struct ? "struct" : "packed") << " vaddr-"
      << (g.address_last ? "last" : "first");
  if (!g.is_struct) out << " " << g.phase_bits << "," << g.thread_bits << "," << g.address_bits;
  out << (g.encoding == 0 ? " gupc-1.3" : " gupc-2012") << " $\");\n";
  return out.str();
}

std::string settings_text(const Options& options) {
  std::ostringstream out;
  out << "/* The options of a program for the runtime; written by upcc. */\n"
         "#include <upcr/gupc.h>\n#include <upcr/idents.h>\n#include <upcr/link.h>\n"
         "const struct upcri_gupc_format upcri_gupc_format = "
      << format_text(options.gupc) << ";\nconst int upcri_gupc_encoding = " << options.gupc.encoding << ";\n"
      << ident_text(options.gupc);
  out << "uintptr_t UPCRL_default_shared_size = (uintptr_t)" << options.heap_bytes << ";\n"
      << "upcr_thread_t UPCRL_static_thread_count = " << options.threads << ";\n"
      << "upcr_thread_t UPCRL_default_pthreads_per_node = " << options.pthreads_per_process << ";\n";
  if (options.threads != 0)
    out << "GASNETT_IDENT(upcri_ident_static_threads, \"$UPCRStaticThreads: " << options.threads
        << " $\");\n";
  if (options.pthreads_per_process > 1)
    out << "GASNETT_IDENT(upcri_ident_default_pthreads, \"$UPCRDefaultPthreads: "
        << options.pthreads_per_process << " $\");\n";
  return out.str();
}

// Compiles the settings. Returns the object's path, or nothing on failure.
std::string make_settings(const Options& options) {
  const std::string source = temp_file("upcc_settings.c"), object = temp_file("upcc_settings.o");
  if (command_mode.run) {
    std::ofstream file(source);
    file << settings_text(options);
    if (!file.flush()) fatal("cannot write " + source + "; is the disk full?");
  }
  Arguments command = c_compiler();
  const Arguments common = options_of_temporary(options.common_options);
  command.insert(command.end(), common.begin(), common.end());
  const Arguments includes = install().compile_options();
  command.insert(command.end(), includes.begin(), includes.end());
  command.insert(command.end(), {"-std=gnu99", "-fno-pie", "-fno-lto", "-w", "-c", "-o", object, source});
  return run(command) == 0 ? object : std::string();
}

// Whether the object defines or refers to one of these names as a thread-local variable, as objects of the
// pthreads model do.
bool refers_to_tls(const Object& object, std::initializer_list<std::string_view> names) {
  return std::any_of(object.symbols.begin(), object.symbols.end(), [names](const Symbol& symbol) {
    return symbol.tls && std::find(names.begin(), names.end(), symbol.name) != names.end();
  });
}

struct SupportObjects {
  bool tls = false;         // the variables of the pthreads model
  bool page_cache = false;  // the thread-local form of the variables that inlined accesses read
};

SupportObjects support_objects_for(const Options& options, const Job& job) {
  SupportObjects support;
  support.tls = options.gupc.pthreads || options.pthreads || options.pthreads_per_process > 1;
  if (!command_mode.run) return support;
  for (const LinkedFile& file : linked_files(job))
    for (const Object& object : read_objects(file.path)) {
      support.tls = support.tls || refers_to_tls(object, {"MYTHREAD", "__upc_forall_depth"});
      support.page_cache =
          support.page_cache || refers_to_tls(object, {"__upc_page1_ref", "__upc_page1_base",
                                                       "__upc_page2_ref", "__upc_page2_base"});
    }
  return support;
}

// gold and mold cannot extend their own script; with them static shared data stays in the program's file.
bool reads_linker_scripts(const Options& options) {
  return std::none_of(options.inputs.begin(), options.inputs.end(), [](const Input& input) {
    return input.kind == InputKind::kLinkOption &&
           (input.argument == "-fuse-ld=gold" || input.argument == "-fuse-ld=mold");
  });
}

}  // namespace

int link_gupc(const Options& options, const Job& job) {
  Arguments command = linker(options);
  if (!options.no_program) {
    command.push_back("-no-pie");
    const std::string settings = make_settings(options);
    if (settings.empty()) return 1;
    command.insert(command.end(), {support_file("upc-crtbegin.o"), settings});
    const SupportObjects support = support_objects_for(options, job);
    if (support.tls) command.push_back(support_file("upc-threads-tls.o"));
    if (support.page_cache) command.push_back(support_file("upc-page-cache-tls.o"));
    if (reads_linker_scripts(options)) command.push_back("-Wl,-T," + support_file("upc-shared.ld"));
  }
  const Arguments inputs = input_arguments(job);
  command.insert(command.end(), inputs.begin(), inputs.end());
  if (!options.no_program)
    command.insert(command.end(), {support_file("upc-crtend.o"),
                                   support_file(options.gupc.is_struct ? "libupcr_gupc_struct.a"
                                                                       : "libupcr_gupc_packed.a")});
  // No symbol refers to the contents of upc_init_array and upc_pgm_info.
  if (!options.no_program) command.push_back("-Wl,--no-gc-sections");
  const Arguments end = trailing_options(options, job, options.debug);
  command.insert(command.end(), end.begin(), end.end());
  return run(command);
}

}  // namespace upcc
