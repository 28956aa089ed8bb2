// SPDX-License-Identifier: BSD-3-Clause
// See startup.hpp. docs/how-to/translators.md describes the generated file.
#include "tools/upcc/link/startup.hpp"

#include <sstream>

namespace upcc {
namespace {

class StartupWriter {
 public:
  StartupWriter(const Program& program, const Options& options, MainProvider main_provider)
      : program_(program), options_(options), main_provider_(main_provider) {}

  std::string write() {
    out_ << "/* Start-up of a UPC program; written by upcc. */\n"
            "#define UPCR_NO_SRCPOS 1\n"
            "#include <upcr/barrier.h>\n#include <upcr/forall.h>\n#include <upcr/heap.h>\n"
            "#include <upcr/idents.h>\n#include <upcr/layout.h>\n#include <upcr/link.h>\n\n";
    tld();
    other_functions();
    per_file_functions("perfile_allocs", program_.allocs, 0);
    per_file_functions("perfile_inits", program_.inits, 1);
    static_init();
    variables();
    out_ << collective_definitions(program_.collectives);
    if (main_provider_ == MainProvider::kGenerated)
      out_ << "\nextern int user_main(int, char **);\n"
              "int main(int argc, char **argv)\n{\n"
              "    bupc_init_reentrant(&argc, &argv, &user_main);\n    return 0;\n}\n";
    out_ << "\nGASNETT_IDENT(upcri_ident_link_config, \"$UPCRConfig: \" UPCR_CONFIG_STRING "
            "UPCRI_THREADCONFIG_STR \" $\");\n"
            "GASNETT_IDENT(upcri_ident_link_gasnet, \"$GASNetConfig: \" GASNET_CONFIG_STRING \" $\");\n";
    // upcrun reads these strings in the program's file, because it must know the number of processes first.
    if (program_.threads != 0 && program_.defined.count("UPCRL_static_thread_count") == 0)
      out_ << "GASNETT_IDENT(upcri_ident_static_threads, \"$UPCRStaticThreads: " << program_.threads
           << " $\");\n";
    if (options_.pthreads_per_process > 1 && program_.defined.count("UPCRL_default_pthreads_per_node") == 0)
      out_ << "GASNETT_IDENT(upcri_ident_default_pthreads, \"$UPCRDefaultPthreads: "
           << options_.pthreads_per_process << " $\");\n";
    return out_.str();
  }

 private:
  static std::string literal(const std::string& text) {
    std::string out = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  }

  void tld() {
    out_ << "/* thread-local data: the section is never empty */\n"
            "int32_t upcrt_forall_control UPCRI_TLD_WEAK = 0;\n"
            "extern char __start_upcr_tld[], __stop_upcr_tld[];\n"
            "extern char __start_upcr_tld_bss[] __attribute__((weak));\n"
            "extern char __stop_upcr_tld_bss[] __attribute__((weak));\n";
    if (!program_.direct_uses.empty()) {
      out_ << "static const struct upcri_tld_plain plain[] = {\n";
      for (const DirectTldUse& use : program_.direct_uses)
        out_ << "    {" << literal(use.name) << ", " << literal(use.file) << ", " << use.line << "},\n";
      out_ << "};\n";
    }
    out_ << "struct upcri_tld_image upcri_tld_image = {__start_upcr_tld, __stop_upcr_tld, "
         << (program_.direct_uses.empty() ? "0" : "plain") << ", " << program_.direct_uses.size()
         << "};\nstruct upcri_tld_zeros upcri_tld_zeros = {__start_upcr_tld_bss, __stop_upcr_tld_bss};\n\n";
  }

  // The program's objects have a table of their functions in a section (trailer() in compile/rewrite.hpp).
  void other_functions() {
    out_ << "typedef void function(void);\n"
            "extern function *__start_upcri_functions[][2] __attribute__((weak));\n"
            "extern function *__stop_upcri_functions[][2] __attribute__((weak));\n"
            "/* Calls those of objects that upcc did not see, in libraries that the linker found. */\n"
            "static void call_others(function *const *listed, int which)\n{\n"
            "    function *(*f)[2], *const *l;\n"
            "    for (f = __start_upcri_functions; f != __stop_upcri_functions; f++) {\n"
            "        for (l = listed; *l && *l != (*f)[which]; l++) {}\n"
            "        if (!*l && (*f)[which]) (*f)[which]();\n"
            "    }\n}\n\n";
  }

  void per_file_functions(const char* name, const std::vector<std::string>& functions, int which) {
    for (const std::string& function : functions) out_ << "extern void " << function << "(void);\n";
    out_ << "static void " << name << "(void)\n{\n    static function *const listed[] = {";
    for (const std::string& function : functions) out_ << function << ", ";
    out_ << "0};\n";
    for (const std::string& function : functions) out_ << "    " << function << "();\n";
    out_ << "    call_others(listed, " << which << ");\n}\n\n";
  }

  void static_init() {
    out_ << "static void meet(void)\n{\n"
            "    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);\n"
            "    upcr_wait(0, UPCR_BARRIERFLAG_ANONYMOUS);\n}\n\n"
            "/* On every UPC thread. The region is empty: static data is on the heap. */\n"
            "static void static_init(void *start, uintptr_t len)\n{\n"
            "    (void)start;\n    (void)len;\n"
            "    if (UPCRL_trans_extra_procinit) {\n"
            "        meet();\n"
            "        if (upcri_mypthread() == 0)\n            UPCRL_trans_extra_procinit();\n"
            "        meet();\n    }\n"
            "    perfile_allocs();\n    meet();\n    perfile_inits();\n"
            "    if (UPCRL_trans_extra_threadinit) {\n"
            "        meet();\n        UPCRL_trans_extra_threadinit();\n        meet();\n    }\n}\n\n";
  }

  // Defines the variable, unless the program does so itself.
  void define(const char* type, const char* name, const std::string& value) {
    if (program_.defined.count(name) == 0) out_ << type << name << " = " << value << ";\n";
  }

  void variables() {
    define("upcr_thread_t ", "UPCRL_static_thread_count", std::to_string(program_.threads));
    define("upcr_thread_t ", "UPCRL_default_pthreads_per_node",
           std::to_string(options_.pthreads_per_process));
    define("const char *", "UPCRL_main_name",
           main_provider_ == MainProvider::kGenerated ? "\"user_main\"" : "\"main\"");
    define("uintptr_t ", "UPCRL_default_shared_size", "(uintptr_t)" + std::to_string(options_.heap_bytes));
    define("uintptr_t ", "UPCRL_default_shared_offset", "0");
    define("int ", "UPCRL_attach_flags", "UPCR_ATTACH_ENV_OVERRIDE");
    define("uintptr_t ", "UPCRL_default_cache_size", "0");
    define("int ", "UPCRL_segsym_pow2_opt", "0");
    define("int ", "UPCRL_progress_thread", "0");
    hook("UPCRL_pre_spawn_init", "(void)", "0");
    hook("UPCRL_per_pthread_init", "(void)", "0");
    hook("UPCRL_cache_init", "(void *, uintptr_t)", "&upcri_init_cache");
    hook("UPCRL_heap_init", "(void *, uintptr_t)", "&upcri_init_heaps");
    hook("UPCRL_static_init", "(void *, uintptr_t)", "&static_init");
    hook("UPCRL_mpi_init", "(int *, char ***)", "0");
    hook("UPCRL_mpi_finalize", "(void)", "0");
    hook("UPCRL_profile_finalize", "(void)", "0");
  }

  void hook(const char* name, const char* parameters, const char* value) {
    if (program_.defined.count(name) == 0)
      out_ << "void (*" << name << ")" << parameters << " = " << value << ";\n";
  }

  const Program& program_;
  const Options& options_;
  const MainProvider main_provider_;
  std::ostringstream out_;
};

}  // namespace

std::string startup_text(const Program& program, const Options& options, MainProvider main_provider) {
  return StartupWriter(program, options, main_provider).write();
}

}  // namespace upcc
