// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/images.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace upcr::scale {
namespace {

struct Found {
  const char* inside;  // an address of the object
  std::vector<std::pair<char*, std::size_t>> ranges;
};

int look(dl_phdr_info* info, std::size_t, void* context) {
  auto& found = *static_cast<Found*>(context);
  bool here = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    const char* const begin = reinterpret_cast<const char*>(info->dlpi_addr + p.p_vaddr);
    here |= p.p_type == PT_LOAD && found.inside >= begin && found.inside < begin + p.p_memsz;
  }
  if (!here) return 0;
  std::uintptr_t relro_end = 0;  // read-only once the loader has done its work
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type == PT_GNU_RELRO)
      relro_end = (info->dlpi_addr + p.p_vaddr + p.p_memsz) & ~std::uintptr_t{4095};
  }
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type == PT_LOAD && (p.p_flags & PF_W) != 0) {
      const std::uintptr_t begin = info->dlpi_addr + p.p_vaddr, end = begin + p.p_memsz;
      const std::uintptr_t from = std::clamp(relro_end, begin, end);
      found.ranges.emplace_back(reinterpret_cast<char*>(from), end - from);
    } else if (p.p_type == PT_TLS && info->dlpi_tls_data != nullptr) {
      found.ranges.emplace_back(static_cast<char*>(info->dlpi_tls_data), p.p_memsz);
    }
  }
  return 1;
}

}  // namespace

Images::Images(const void* address, Rank ranks) : copies_(ranks) {
  Found found{static_cast<const char*>(address), {}};
  if (::dl_iterate_phdr(look, &found) == 0 || found.ranges.empty()) {
    std::fprintf(stderr, "upcr_scale: the product's static data is not to be found\n");
    std::abort();
  }
  for (const auto& [begin, bytes] : found.ranges) add_range(begin, bytes);
  start_.resize(bytes());
  for (std::size_t i = 0; i < lines_.size(); ++i) std::memcpy(&start_[i * kLine], lines_[i], kLine);
  is_own_.resize(lines_.size());
}

Images::~Images() {
  for (Copy& c : copies_) std::free(c.data);
}

// The rest of the last line is the padding of a page, or of the thread's block: nobody's.
void Images::add_range(char* begin, std::size_t bytes) {
  for (std::size_t at = 0; at + kLine <= bytes; at += kLine) lines_.push_back(begin + at);
  if (bytes % kLine != 0 && bytes >= kLine) lines_.push_back(begin + bytes - kLine);
  if (bytes < kLine && bytes != 0) {
    std::fprintf(stderr, "upcr_scale: static data of %zu bytes is less than a line\n", bytes);
    std::abort();
  }
}

void Images::find_own() {
  for (std::uint32_t i = 0; i < lines_.size(); ++i) {
    if (is_own_[i] != 0 || std::memcmp(lines_[i], &start_[i * kLine], kLine) == 0) continue;
    is_own_[i] = 1;
    own_.push_back(i);
  }
}

void Images::save(Copy& copy) {
  find_own();
  if (copy.room < own_.size()) {
    copy.room = static_cast<std::uint32_t>(own_.size() + 4);
    copy.data = static_cast<char*>(std::realloc(copy.data, copy.room * kLine));
  }
  copy.lines = static_cast<std::uint32_t>(own_.size());
  for (std::uint32_t k = 0; k < copy.lines; ++k) std::memcpy(copy.data + k * kLine, lines_[own_[k]], kLine);
}

void Images::leave() {
  if (running_rank_ == kNobody) return;
  save(copies_[running_rank_]);
  for (const std::uint32_t i : own_) std::memcpy(lines_[i], &start_[i * kLine], kLine);
  running_rank_ = kNobody;
}

void Images::enter(Rank rank) {
  if (running_rank_ == rank) return;
  if (running_rank_ != kNobody) save(copies_[running_rank_]);
  const Copy& copy = copies_[rank];
  for (std::uint32_t k = 0; k < copy.lines; ++k) std::memcpy(lines_[own_[k]], copy.data + k * kLine, kLine);
  for (std::size_t k = copy.lines; k < own_.size(); ++k)
    std::memcpy(lines_[own_[k]], &start_[own_[k] * kLine], kLine);
  running_rank_ = rank;
}

}  // namespace upcr::scale
