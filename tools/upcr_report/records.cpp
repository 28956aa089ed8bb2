// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcr_report/records.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "upcr/observe/record.hpp"
#include "upcr/observe/report/report.hpp"

namespace upcr_report {
namespace {

using upcr::observe::Profile;
using upcr::observe::RecordHeader;
using upcr::observe::RecordView;

// A string of a header, with or without its end.
template <std::size_t kSize>
std::string text_of(const char (&field)[kSize]) {
  return {field, ::strnlen(field, kSize)};
}

void add_record(Profile& profile, std::string content) {
  RecordHeader h;
  std::memcpy(&h, content.data(), sizeof h);
  if (content.size() != upcr::observe::record_bytes(h.threads))
    throw std::runtime_error("the statistics of UPC thread " + std::to_string(h.thread) + " are damaged");
  // A record has the alignment of a page where it is mapped.
  std::vector<upcr::observe::CellCounts> aligned(content.size() / sizeof(upcr::observe::CellCounts) + 1);
  std::memcpy(static_cast<void*>(aligned.data()), content.data(), content.size());
  if (!profile.add(RecordView(reinterpret_cast<char*>(aligned.data())).block()))
    throw std::runtime_error("the statistics of UPC thread " + std::to_string(h.thread) + " are damaged");
  if (h.thread >= h.threads_of_job || h.threads_of_job > h.threads)
    throw std::runtime_error("the statistics of UPC thread " + std::to_string(h.thread) + " are damaged");
  const bool first = profile.threads.size() == 1;
  if (!first && (profile.threads_of_job != h.threads_of_job || profile.program != text_of(h.program)))
    throw std::runtime_error("the files are of several jobs: " + profile.program + " and " +
                             text_of(h.program));
  for (std::size_t i = 0; i + 1 < profile.threads.size(); ++i)
    if (profile.threads[i].header.thread == h.thread)
      throw std::runtime_error("two files are of UPC thread " + std::to_string(h.thread) +
                               ": of several jobs");
  profile.threads.back().killed = h.ended_with_job == 0;
  profile.program = text_of(h.program);
  profile.conduit = text_of(h.conduit);
  profile.threads_of_job = h.threads_of_job;
}

}  // namespace

bool is_record(const std::string& content) {
  constexpr std::uint64_t kMagic = upcr::observe::kRecordMagic;
  return content.size() >= sizeof(RecordHeader) && std::memcmp(content.data(), &kMagic, sizeof kMagic) == 0;
}

std::string write_statistics(const std::vector<std::string>& records, const std::string& file) {
  Profile profile;
  for (const std::string& record : records) {
    if (!is_record(record)) throw std::runtime_error("not all files are statistics that a job has left");
    add_record(profile, record);
  }
  std::sort(profile.threads.begin(), profile.threads.end(),
            [](const auto& a, const auto& b) { return a.header.thread < b.header.thread; });
  if (!write_json(profile, file.c_str())) throw std::runtime_error(file + ": " + std::strerror(errno));
  return summary_of(profile, file);
}

}  // namespace upcr_report
