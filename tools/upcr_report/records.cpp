// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcr_report/records.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "upcr/observe/record.hpp"

namespace upcr_report {
namespace {

using upcr::observe::RecordHeader;
using upcr::observe::RecordView;

// A string of a header, with or without its end.
template <std::size_t kSize>
std::string text_of(const char (&field)[kSize]) {
  return {field, ::strnlen(field, kSize)};
}

[[noreturn]] void fail(const std::string& text) { throw std::runtime_error(text); }

}  // namespace

bool is_record(const std::string& content) {
  constexpr std::uint64_t kMagic = upcr::observe::kRecordMagic;
  return content.size() >= sizeof(RecordHeader) && std::memcmp(content.data(), &kMagic, sizeof kMagic) == 0;
}

void Records::add(const std::string& content) {
  if (!is_record(content)) fail("not all files are statistics that a job has left");
  RecordHeader h;
  std::memcpy(&h, content.data(), sizeof h);
  const std::string thread = "UPC thread " + std::to_string(h.thread), program = text_of(h.program);
  const std::string damaged = "the statistics of " + thread + " are damaged";
  if (content.size() != upcr::observe::record_bytes(h.threads) || h.thread >= h.threads_of_job ||
      h.threads_of_job > h.threads)
    fail(damaged);
  if (!profile_.threads.empty() &&
      (profile_.threads_of_job != h.threads_of_job || profile_.program != program))
    fail("the files are of several jobs: " + profile_.program + " and " + program);
  for (const auto& other : profile_.threads)
    if (other.header.thread == h.thread) fail("two files are of " + thread + ": of several jobs");
  // A record has the alignment of a page where it is mapped.
  std::vector<upcr::observe::CellCounts> aligned(content.size() / sizeof(upcr::observe::CellCounts) + 1);
  std::memcpy(static_cast<void*>(aligned.data()), content.data(), content.size());
  if (!profile_.add(RecordView(reinterpret_cast<char*>(aligned.data())).block())) fail(damaged);
  profile_.threads.back().killed = h.ended_with_job == 0;
  profile_.program = program;
  profile_.conduit = text_of(h.conduit);
  profile_.threads_of_job = h.threads_of_job;
}

std::string Records::write(const std::string& file) {
  std::sort(profile_.threads.begin(), profile_.threads.end(),
            [](const auto& a, const auto& b) { return a.header.thread < b.header.thread; });
  if (!write_json(profile_, file.c_str())) fail(file + ": " + std::strerror(errno));
  return summary_of(profile_, file);
}

}  // namespace upcr_report
