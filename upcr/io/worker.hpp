// SPDX-License-Identifier: BSD-3-Clause
// The thread of a process that does the file accesses of asynchronous operations, one after the other. It is
// created when the first one starts and lives as long as the process.
#pragma once
#include <atomic>

#include "conduits/core/model/topology.hpp"

namespace upcr {

struct Transfer;

struct WorkItem {
  Transfer* transfer = nullptr;
  Slot owner = 0;  // woken when it is done
  std::atomic<bool> done{false};
  WorkItem* next = nullptr;
};

// Queues the item, which must stay valid until it is done. UPC threads.
void run_in_background(WorkItem& item);

}  // namespace upcr
