// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/program_data.hpp"

#include <link.h>
#include <unistd.h>

namespace upcr::ibv {
namespace {

struct Question {
  std::uintptr_t begin, end, page;
  bool inside = false, read_only = false;
};

// The first object is the executable: 1 ends the walk.
int visit_program(dl_phdr_info* program, std::size_t, void* context) noexcept {
  auto& q = *static_cast<Question*>(context);
  for (unsigned i = 0; i < program->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = program->dlpi_phdr[i];
    const std::uintptr_t at = program->dlpi_addr + part.p_vaddr;
    const std::uintptr_t first = at / q.page * q.page;
    const std::uintptr_t last = (at + part.p_filesz + q.page - 1) / q.page * q.page;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0) q.inside |= first <= q.begin && q.end <= last;
    // The loader rounds down: what lies on the last page with other data stays writable.
    if (part.p_type == PT_GNU_RELRO) {
      const std::uintptr_t sealed = (at + part.p_memsz) / q.page * q.page;
      q.read_only |= q.begin < sealed && first < q.end;
    }
  }
  return 1;
}

struct LibraryQuestion {
  std::uintptr_t begin, end, page;
  bool program_seen = false;  // the first object
  bool inside = false;
};

int visit_library(dl_phdr_info* library, std::size_t, void* context) noexcept {
  auto& q = *static_cast<LibraryQuestion*>(context);
  const bool is_program = !q.program_seen;
  q.program_seen = true;
  for (unsigned i = 0; i < library->dlpi_phnum && !is_program; ++i) {
    const ElfW(Phdr)& part = library->dlpi_phdr[i];
    const std::uintptr_t at = library->dlpi_addr + part.p_vaddr;
    const std::uintptr_t first = at / q.page * q.page;
    const std::uintptr_t last = (at + part.p_memsz + q.page - 1) / q.page * q.page;
    q.inside |= part.p_type == PT_LOAD && first < q.end && q.begin < last;
  }
  return q.inside ? 1 : 0;
}

}  // namespace

bool is_library_memory(std::uintptr_t begin, std::uintptr_t end) noexcept {
  LibraryQuestion q{begin, end, static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))};
  (void)dl_iterate_phdr(visit_library, &q);
  return q.inside;
}

bool is_program_data(std::uintptr_t begin, std::uintptr_t end) noexcept {
  Question q{begin, end, static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))};
  (void)dl_iterate_phdr(visit_program, &q);
  return q.inside && !q.read_only;
}

}  // namespace upcr::ibv
