// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/waits/wait_reports.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <utility>

#include "tools/upcrun/waits/likely_cause.hpp"

namespace upcrun {
namespace {

using upcr::ThreadReport;

std::string duration(std::uint64_t ms) {
  char text[32];
  std::snprintf(text, sizeof text, ms < 10'000 ? "%.1f s" : "%.0f s", static_cast<double>(ms) / 1000);
  return text;
}

// A line without what differs between threads that do the same.
std::string rest_of_line(const ThreadReport& r, bool many) {
  std::string text = " " + activity_of(r, many);
  if (r.activity == Activity::kLock) text += ", behind UPC thread " + std::to_string(r.peer);
  if (r.activity == Activity::kLeft) return text;
  if (!r.file.empty()) text += ", last UPC call" + position_of(r);
  return text;
}

ThreadStates parse(const std::string& text, unsigned rank) {
  ThreadStates threads;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    if (auto report = ThreadReport::parse(std::string_view(text).substr(at, end - at)))
      threads.push_back({std::move(*report), rank});
  return threads;
}

}  // namespace

std::string word_report(const ThreadStates& threads, const std::vector<std::string>& silent) {
  std::string text;
  for (const std::string& cause : likely_causes(threads, silent)) text += "likely cause: " + cause + "\n";
  std::vector<ThreadGroup> groups;
  std::map<std::string, std::size_t> group_of;
  for (const ThreadState& t : threads) {
    const auto [group, is_new] = group_of.try_emplace(rest_of_line(t.report, false), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(&t);
  }
  for (const ThreadGroup& group : groups) {
    std::uint64_t longest = 0;
    for (const ThreadState* t : group) longest = std::max(longest, t->report.waited_ms);
    text += names_of(group) + rest_of_line(group[0]->report, group.size() > 1) +
            (longest != 0 ? ", for " + duration(longest) : "") + "\n";
  }
  return text;
}

std::string in_words_of_gasnet(std::string report) {
  constexpr std::pair<const char*, const char*> kWords[] = {
      {"UPC threads ", "nodes "},
      {"UPC thread ", "node "},
      {"all threads must make", "all nodes must make"},
      {"upc_barrier ", "gasnet_barrier "},
      {"upc_poll()", "gasnet_AMPoll()"},
  };
  for (const auto& [ours, theirs] : kWords)
    for (std::size_t at = 0; (at = report.find(ours, at)) != std::string::npos; at += std::strlen(theirs))
      report.replace(at, std::strlen(ours), theirs);
  return report;
}

void WaitReports::request(std::function<void(const std::string&)> done) {
  requests_.push_back(std::move(done));
  if (give_up_at_ != 0) return;
  give_up_at_ = now_ms() + kPatience;
  ++question_;
  answers_.assign(job_.processes, {});
  for (unsigned rank = 0; rank < job_.processes; ++rank) answers_[rank].awaited = job_.ask(rank, question_);
  if (complete()) finish();
}

void WaitReports::on_answer(unsigned rank, int question, std::uint64_t total, std::string_view part) {
  if (give_up_at_ == 0 || question != question_ || !answers_[rank].awaited) return;
  answers_[rank].text += part;
  if (answers_[rank].text.size() < total) return;
  answers_[rank].awaited = false;
  if (complete()) finish();
}

bool WaitReports::complete() const {
  return std::none_of(answers_.begin(), answers_.end(), [](const Answer& a) { return a.awaited; });
}

void WaitReports::finish() {
  ThreadStates threads;
  std::vector<std::string> silent;
  for (unsigned rank = 0; rank < job_.processes; ++rank) {
    if (answers_[rank].awaited) silent.push_back(job_.describe(rank));
    const ThreadStates some = parse(answers_[rank].text, rank);
    threads.insert(threads.end(), some.begin(), some.end());
  }
  give_up_at_ = 0;
  answers_.clear();
  std::string report = word_report(threads, silent);
  if (job_.gasnet()) report = in_words_of_gasnet(std::move(report));
  for (const auto& done : std::exchange(requests_, {})) done(report);
}

void WaitReports::on_stalled(int seconds) {
  if (report_stall_at_ != 0) return;
  report_stall_at_ = std::max(now_ms() + kStallGrace, next_stall_report_);
  next_stall_report_ = report_stall_at_ + Milliseconds{1000} * std::max(seconds, 1);
}

Milliseconds WaitReports::next_deadline() const {
  if (give_up_at_ == 0 || report_stall_at_ == 0) return std::max(give_up_at_, report_stall_at_);
  return std::min(give_up_at_, report_stall_at_);
}

void WaitReports::check_deadlines() {
  const Milliseconds now = now_ms();
  if (give_up_at_ != 0 && now >= give_up_at_) finish();
  if (report_stall_at_ == 0 || now < report_stall_at_) return;
  report_stall_at_ = 0;
  request(job_.print);
}

}  // namespace upcrun
