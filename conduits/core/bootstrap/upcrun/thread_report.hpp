// SPDX-License-Identifier: BSD-3-Clause
// What a UPC thread does at the moment, as its process tells upcrun (wire::Type::kWaits): a line of text for
// each thread. Linked into the library and into upcrun.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upcr {

struct ThreadReport {
  enum class Activity : char {
    kComputes = 'c',    // it runs code of the program, or waits outside of the runtime
    kBarrier = 'b',     // it waits in a barrier of the program
    kLock = 'l',        // for `lock`, behind the thread `peer`
    kAnswer = 'a',      // for an answer of the process of the thread `peer`
    kCollective = 'g',  // in a collective call
    kWaits = 'w',       // for something else
    kLeft = 'e',        // its program has ended
  };

  Activity activity = Activity::kComputes;
  unsigned thread = 0, peer = 0;
  std::uint64_t lock = 0;       // the thread with whose memory it is, times 2^40, plus its offset there
  std::uint64_t waited_ms = 0;  // 0: not known
  std::string what;             // it waits for, in words
  std::string file;             // of the last call that is known; empty: none is
  int line = 0;
  std::uint64_t barriers = 0;  // of the program, that it has completed
  std::string barrier_name;    // of the one that it has begun; empty: it has none
  // The last collective call that it has begun: its function, the team, its number in the team, its
  // arguments. No function: there was none.
  std::string function;
  std::uint64_t team = 0, call = 0;
  struct Argument {
    std::string name;
    std::uint64_t value;
  };
  std::vector<Argument> arguments;

  // A line, with its end. parse() reads one without it; nothing: it is not of this form.
  std::string format() const;
  static std::optional<ThreadReport> parse(std::string_view line);
};

}  // namespace upcr
