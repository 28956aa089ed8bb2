// SPDX-License-Identifier: BSD-3-Clause
// Writes a timeline from the parts of a trace (part.hpp): JSON in the Trace Event Format, which
// ui.perfetto.dev and chrome://tracing show.
#pragma once
#include <cstdint>
#include <cstdio>
#include <vector>

#include "upcr/observe/part.hpp"

namespace upcr::observe {

class Timeline {
 public:
  // Begins the file. `out` is open while the object lives.
  explicit Timeline(std::FILE* out);
  // Adds the events of one thread. False: this is no part; nothing is written.
  bool add(const std::vector<char>& part);
  // Ends the file.
  void end();

  std::uint64_t events() const noexcept { return events_; }
  std::uint64_t lost() const noexcept { return lost_; }

 private:
  void separate();

  std::FILE* out_;
  bool first_ = true;
  std::uint64_t events_ = 0, lost_ = 0;
  std::uint64_t zero_ = 0;  // ns, of thread 0's clock: before the program began on any thread
};

}  // namespace upcr::observe
