// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/io/worker.hpp"

#include <pthread.h>

#include <condition_variable>
#include <mutex>

#include "conduits/core/base/system/helper_thread.hpp"
#include "upcr/access/data.hpp"
#include "upcr/io/transfer.hpp"
#include "upcr/state/runtime_threads.hpp"

namespace upcr {
namespace {

struct Queue {
  std::mutex mutex;
  std::condition_variable filled;
  WorkItem *first = nullptr, *last = nullptr;
  bool running = false;
};

Queue& queue() {
  static Queue* const one = new Queue;  // never destroyed: the thread outlives exit handlers
  return *one;
}

void* work(void*) {
  note_runtime_thread();
  Queue& q = queue();
  for (;;) {
    WorkItem* item;
    {
      std::unique_lock lock(q.mutex);
      q.filled.wait(lock, [&] { return q.first != nullptr; });
      item = q.first;
      q.first = item->next;
    }
    item->transfer->file_part();
    const Slot owner = item->owner;  // which may reuse the item from here on
    item->done.store(true, std::memory_order_release);
    ring(owner);
  }
  return nullptr;
}

// Without signals, which are handled on the program's threads.
bool start_thread() {
  pthread_t thread;
  const bool ok = start_helper_thread(&thread, HelperStack::kOwn, work, nullptr) == 0;
  if (ok) pthread_detach(thread);
  return ok;
}

}  // namespace

void run_in_background(WorkItem& item) {
  Queue& q = queue();
  {
    const std::lock_guard lock(q.mutex);
    if (!q.running) q.running = start_thread();
    if (q.running) {
      item.next = nullptr;
      if (q.first == nullptr)
        q.first = &item;
      else
        q.last->next = &item;
      q.last = &item;
      q.filled.notify_one();
      return;
    }
  }
  item.transfer->file_part();  // the thread could not be created: done by the caller
  item.done.store(true, std::memory_order_release);
}

}  // namespace upcr
