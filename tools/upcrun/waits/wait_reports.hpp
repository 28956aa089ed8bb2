// SPDX-License-Identifier: BSD-3-Clause
// Asks the processes of the job what their UPC threads wait for, and words the answers. Never blocks.
// Single-threaded.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/waits/thread_state.hpp"

namespace upcrun {

// The report: "likely cause: ..." first, if one is known, then a line for each group of threads that do the
// same. Each line has its end. `silent`: descriptions of processes that have not answered.
std::string word_report(const ThreadStates& threads, const std::vector<std::string>& silent);

// The same in the words of GASNet's clients, which have nodes.
std::string in_words_of_gasnet(std::string report);

class WaitReports {
 public:
  struct Job {
    unsigned processes;
    // Sends the question of this number to the process; false: it has not joined, or has ended.
    std::function<bool(unsigned rank, int question)> ask;
    std::function<std::string(unsigned rank)> describe;  // the process, for messages
    std::function<void(const std::string& report)> print;
    std::function<bool()> gasnet;  // the program is a client of GASNet
  };
  explicit WaitReports(Job job) : job_(std::move(job)) {}

  // Calls done(report) when all processes have answered, after kPatience at most; perhaps at once.
  void request(std::function<void(const std::string& report)> done);

  // A part of the answer of a process, which has `total` bytes.
  void on_answer(unsigned rank, int question, std::uint64_t total, std::string_view part);
  // A thread of the process has waited for so long: a report is printed, with the other threads that do at
  // about the same time.
  void on_stalled(int seconds);

  // The earliest time limit; 0: there is none.
  Milliseconds next_deadline() const;
  void check_deadlines();

 private:
  static constexpr Milliseconds kPatience = 1000;
  static constexpr Milliseconds kStallGrace = 200;  // for other threads that began to wait a little later

  struct Answer {
    bool awaited = false;
    std::string text;
  };
  void finish();
  bool complete() const;

  const Job job_;
  int question_ = 0;
  Milliseconds give_up_at_ = 0;  // 0: no question is open
  Milliseconds report_stall_at_ = 0, next_stall_report_ = 0;
  std::vector<Answer> answers_;
  std::vector<std::function<void(const std::string&)>> requests_;
};

}  // namespace upcrun
