// SPDX-License-Identifier: BSD-3-Clause
// A new thread's variables are a copy of the segment PT_TLS of their module, which the loader has mapped (ELF
// Handling For Thread-Local Storage, section 3; glibc and musl copy from the mapped segment).
#include "upcr/startup/later_threads.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "include/upcr/gmem.h"
#include "include/upcr/window.h"

namespace upcr {
namespace {

struct Number {
  const upcr_thread_t* variable;  // of the calling thread
  upcr_thread_t value;
};

const ElfW(Phdr) * find_segment(const dl_phdr_info& module, ElfW(Word) type) noexcept {
  for (const ElfW(Phdr)* segment = module.dlpi_phdr; segment != module.dlpi_phdr + module.dlpi_phnum;
       ++segment)
    if (segment->p_type == type) return segment;
  return nullptr;
}

// Where the linker has arranged it (PT_GNU_RELRO), the loader has made the whole pages of that range
// read-only.
bool is_read_only(const dl_phdr_info& module, std::uintptr_t page, std::uintptr_t page_bytes) noexcept {
  const ElfW(Phdr)* const fixed = find_segment(module, PT_GNU_RELRO);
  if (fixed == nullptr) return false;
  const std::uintptr_t begin = module.dlpi_addr + fixed->p_vaddr, end = begin + fixed->p_memsz;
  return page >= begin / page_bytes * page_bytes && page < end / page_bytes * page_bytes;
}

void store(const dl_phdr_info& module, std::uintptr_t address, upcr_thread_t value) noexcept {
  const auto page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t page = address / page_bytes * page_bytes;
  void* const begin = reinterpret_cast<void*>(page);
  const bool fixed = is_read_only(module, page, page_bytes);
  if (fixed && ::mprotect(begin, page_bytes, PROT_READ | PROT_WRITE) != 0) return;
  *reinterpret_cast<upcr_thread_t*>(address) = value;
  if (fixed) (void)::mprotect(begin, page_bytes, PROT_READ);
}

// Of the module that has the variable.
int set_initial_value(dl_phdr_info* module, std::size_t size, void* number) noexcept {
  const auto& [variable, value] = *static_cast<const Number*>(number);
  if (size < offsetof(dl_phdr_info, dlpi_tls_data) + sizeof module->dlpi_tls_data) return 1;
  const ElfW(Phdr)* const initial = find_segment(*module, PT_TLS);
  if (initial == nullptr || module->dlpi_tls_data == nullptr) return 0;
  const auto offset =
      reinterpret_cast<std::uintptr_t>(variable) - reinterpret_cast<std::uintptr_t>(module->dlpi_tls_data);
  if (offset >= initial->p_filesz) return 0;
  store(*module, module->dlpi_addr + initial->p_vaddr + offset, value);
  return 1;
}

}  // namespace

void number_later_threads(upcr_thread_t mine) noexcept {
  for (const upcr_thread_t* variable : {&upcri_mythread_, &upcr_my_thread}) {
    Number number{variable, mine};
    (void)::dl_iterate_phdr(&set_initial_value, &number);
  }
}

}  // namespace upcr
