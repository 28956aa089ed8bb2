// SPDX-License-Identifier: BSD-3-Clause
// The last part of the mpi conduit's attach(): is there an MPI window, which puts and gets go through it, and
// in which pieces do large transfers travel by messages? Two processes of each kind of neighbourhood find out
// for all (rma/pairs.hpp, measurement.hpp), while the others wait without using the processors.
//
// Threads: main thread, all processes together. No messages of the job are sent yet.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>

#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/net/mpi/endpoint/measurement.hpp"
#include "conduits/net/mpi/endpoint/message_path.hpp"
#include "conduits/net/mpi/rma/choice.hpp"
#include "conduits/net/mpi/rma/pairs.hpp"
#include "conduits/net/mpi/rma/window.hpp"

namespace upcr::mpi {

class Calibration {
 public:
  struct Setup {
    const Topology& topology;
    const SegmentMap& segments;
    bool everything;         // remote access may name any address
    bool oversubscribed;     // this process's machine has more UPC threads than CPUs
    MPI_Comm packets, data;  // communicators of the conduit's
    std::uint32_t piece;     // bytes that one MPI message carries
  };
  Calibration(const Setup& setup, Conduit& conduit, MessagePath& messages, Window& window)
      : setup_(setup), conduit_(conduit), messages_(messages), window_(window) {}

  // Collective; the same on all processes. Leaves the window open if anything is to go through it, and tells
  // the message path how large transfers travel.
  [[gnu::cold]] Choice choose();
  // The result of choose() as text.
  const std::string& describe() const noexcept { return words_; }

 private:
  const char* reason_for_messages(const Capabilities& all) const;
  [[gnu::cold]] bool is_asynchronous(const Capabilities& all);
  [[gnu::cold]] CalibrationResult measure(const Capabilities& all, bool puts, bool gets, bool fetches);

  const Setup setup_;
  Conduit& conduit_;
  MessagePath& messages_;
  Window& window_;
  std::string words_;
};

}  // namespace upcr::mpi
