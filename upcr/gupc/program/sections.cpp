// SPDX-License-Identifier: BSD-3-Clause
// See sections.hpp. The symbols are weak here, so every program links, and exported by the program because
// this library names them.
#include "upcr/gupc/program/sections.hpp"

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/link.h"
#include "upcr/state/runtime.hpp"

extern "C" {
#define UPCRI_PROGRAMS __attribute__((weak, visibility("default")))
extern UPCRI_PROGRAMS char __upc_shared_start[], __upc_shared_end[];
extern UPCRI_PROGRAMS upcr::gupc::InitFunction __upc_init_array_start[], __upc_init_array_end[];
extern UPCRI_PROGRAMS upcr::gupc::InitFunction UPCRL_init_array_begin[], UPCRL_init_array_end[];
extern UPCRI_PROGRAMS char __upc_pgm_info_start[], __upc_pgm_info_end[];
}

namespace upcr::gupc {
namespace {

template <typename T>
T* either(T* one, T* other) {
  return one != nullptr ? one : other;
}

void check(const char* name, const void* begin, const void* end) {
  if (begin == nullptr || end == nullptr) {
    if (begin == end) return;
    defer_to_first_process();
    fatal(
        "the program marks only the %s of the linker section %s; the object with the start symbols comes "
        "first in the link and the one with the end symbols last (upcc --abi=gupc does that)",
        begin != nullptr ? "beginning" : "end", name);
  }
  if (end < begin) {
    defer_to_first_process();
    fatal(
        "the linker section %s ends (%p) before it begins (%p): the objects with the start and the end "
        "symbols are not the first and the last of the link",
        name, end, begin);
  }
}

}  // namespace

Bytes shared_section() {
  return {either(__upc_shared_start, UPCRL_shared_begin), either(__upc_shared_end, UPCRL_shared_end)};
}

InitArray init_array() {
  return {either(__upc_init_array_start, UPCRL_init_array_begin),
          either(__upc_init_array_end, UPCRL_init_array_end)};
}

std::string_view program_info() {
  const Bytes section = {__upc_pgm_info_start, __upc_pgm_info_end};
  if (section.begin == nullptr || section.end <= section.begin) return {};
  return {section.begin, section.size()};
}

void check_sections() {
  check("upc_shared", shared_section().begin, shared_section().end);
  check("upc_init_array", init_array().begin, init_array().end);
  check("upc_pgm_info", __upc_pgm_info_start, __upc_pgm_info_end);
}

}  // namespace upcr::gupc
