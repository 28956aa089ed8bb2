// SPDX-License-Identifier: BSD-3-Clause
// See static_section.hpp. The offsets of a compiler's pointers-to-shared count from the section's own
// address. Compilers emit it as zeros, with functions that store initial values, so upc-shared.ld links it
// without contents; for a program that was linked without that script the contents are copied.
#include "upcr/gupc/program/static_section.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "include/upcr/gupc.h"
#include "upcr/gupc/program/sections.hpp"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/state/runtime.hpp"

uint64_t upcri_gupc_statics = 0;
uint64_t upcri_gupc_reach = 0;

namespace upcr::gupc {
namespace {

constexpr std::size_t kPage = UPCR_PAGESIZE;

// The part of a range of addresses that is in the program's file. The rest is zero (as .bss is), and not
// worth reading.
struct InFile {
  Bytes range;
  const char* end;
};

int find_in_file(dl_phdr_info* object, std::size_t, void* argument) {
  auto* found = static_cast<InFile*>(argument);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& part = object->dlpi_phdr[i];
    const char* const at = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
    if (part.p_type != PT_LOAD || found->range.begin < at || found->range.begin >= at + part.p_memsz)
      continue;
    found->end = std::clamp(at + part.p_filesz, found->range.begin, found->range.end);
    return 1;
  }
  return 0;
}

// Pages of zeros are not copied, so they stay holes of the memory file at the destination.
void copy(char* to, const Bytes& section) {
  static constexpr char kZero[kPage] = {};
  InFile filled{section, section.end};
  dl_iterate_phdr(find_in_file, &filled);
  for (const char* from = section.begin; from < filled.end; from += kPage, to += kPage) {
    const std::size_t n = std::min(kPage, static_cast<std::size_t>(filled.end - from));
    if (std::memcmp(from, kZero, n) != 0) std::memcpy(to, from, n);
  }
}

}  // namespace

std::size_t static_section_bytes() {
  const Bytes section = shared_section();
  return section.begin != nullptr && section.end > section.begin ? section.size() : 0;
}

void place_static_section() {
  upcri_gupc_statics = kFirstObjectOffset;
  upcri_gupc_reach = job().segments.bytes - kFirstObjectOffset;
}

void copy_static_section(char* to) {
  if (static_section_bytes() != 0) copy(to, shared_section());
}

}  // namespace upcr::gupc
