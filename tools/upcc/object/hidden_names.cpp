// SPDX-License-Identifier: BSD-3-Clause
// See hidden_names.hpp.
#include "tools/upcc/object/hidden_names.hpp"

#include <dlfcn.h>
#include <elf.h>

#include <cstdint>
#include <fstream>
#include <ios>

#include "tools/upcc/base/file.hpp"
#include "tools/upcc/base/process.hpp"
#include "tools/upcc/object/elf.hpp"

namespace upcc {
namespace {

bool user_decides(const Options& options) {
  if (options.no_program) return true;
  for (const std::string& option : options.compile_options)
    if (option.starts_with("-fvisibility") || option == "-fPIC" || option == "-fpic") return true;
  return false;
}

// Functions of an allocator, also mallopt() and malloc_trim().
bool allocates(std::string_view name) {
  for (std::string_view part : {"alloc", "memalign", "free"})
    if (name.ends_with(part)) return true;
  return name.starts_with("mall") || name == "reallocarray";
}

// Whether `found`, of the C library, is a variable of this size.
bool is_variable(void* found, std::uint64_t bytes) {
  Dl_info info;
  void* entry = nullptr;
  if (dladdr1(found, &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) return false;
  const auto& symbol = *static_cast<const Elf64_Sym*>(entry);
  return info.dli_saddr == found && ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size == bytes;
}

// upcc is linked with the C library, and with libm and libpthread, which were parts of their own once. A
// variable that the library has as one of this size, as argp_program_version or optarg, is meant for it.
bool is_in_libc_otherwise(const Symbol& symbol) {
  void* found = dlsym(RTLD_DEFAULT, symbol.name.c_str());
  return found != nullptr && !(symbol.data && is_variable(found, symbol.size));
}

}  // namespace

bool is_function_of_libc(const std::string& name) {
  void* found = dlsym(RTLD_DEFAULT, name.c_str());
  Dl_info info;
  void* entry = nullptr;
  if (found == nullptr || allocates(name) || dladdr1(found, &info, &entry, RTLD_DL_SYMENT) == 0) return false;
  return entry == nullptr || ELF64_ST_TYPE(static_cast<const Elf64_Sym*>(entry)->st_info) != STT_OBJECT;
}

void hide_names_of_libc(const std::string& object, const Options& options, const SourceInfo& source) {
  if (user_decides(options) || !command_mode.run) return;
  const std::string bytes = read_file(object);
  std::fstream file;
  for (const Symbol& symbol : parse_object(bytes, object).symbols) {
    if (!symbol.global || !symbol.defined || symbol.hidden || allocates(symbol.name)) continue;
    if (source.visible_names.count(symbol.name) != 0) continue;
    if (symbol.visibility_at >= bytes.size() || !is_in_libc_otherwise(symbol)) continue;
    if (!file.is_open()) file.open(object, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(symbol.visibility_at));
    file.put(static_cast<char>(bytes[symbol.visibility_at] | STV_HIDDEN));  // it was 0
  }
  if (file.is_open() && !file.flush()) fatal("cannot write " + object + "; is the disk full?");
}

}  // namespace upcc
