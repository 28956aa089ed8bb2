// SPDX-License-Identifier: BSD-3-Clause
// What a UPC thread keeps for UPC-IO: its open files. Used by its own thread only. What is common to all
// threads (the common file pointer, flags) each of them has for itself, changed by the same calls.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conduits/core/bootstrap/upcrun/temporary_file.hpp"
#include "include/upcr/io.h"
#include "upcr/io/transfer.hpp"
#include "upcr/io/worker.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {

struct IoHint {
  std::string key, value;
};

// One read or write; an asynchronous one while it was started and not completed.
struct IoOperation {
  Transfer transfer;
  bool common = false;      // all threads make it together: they agree on the result
  bool at_pointer = false;  // the file pointer moves
  bool sync_out = false;    // nobody may return from its completion before all can
  WorkItem work;
};

struct IoFile {
  SharedAddr handle;  // a byte of thread 0's memory that only this file has
  int fd = -1;        // of this thread: locks and positions are not shared with other threads of the process
  int flags = 0;
  std::uint64_t pointer = 0;
  std::string name;
  std::string to_delete;    // thread 0: the name wherever the program has gone, with UPC_DELETE_ON_CLOSE
  TemporaryFile temporary;  // the same, as the launcher knows it
  std::vector<IoHint> hints;
  std::vector<bupc_hint_S_trans> hint_view;  // what UPC_GET_HINTS returned
  std::unique_ptr<IoOperation> outstanding;

  bool strong() const noexcept { return (flags & UPC_STRONG_CA) != 0; }
  bool common() const noexcept { return (flags & UPC_COMMON_FP) != 0; }
  bool writable() const noexcept { return (flags & (UPC_WRONLY | UPC_RDWR)) != 0; }
};

struct IoState {
  SharedAddr said;  // io/agree.cpp
  std::vector<std::unique_ptr<IoFile>> files;
};

// The calling thread's; made at the first use.
IoState& io_state(ThreadCtx& c);
// For the entry points: the open file of this handle; else nullptr, and errno is EBADF.
IoFile* find_file(ThreadCtx& c, upcr_pshared_ptr_t handle);
// The calling UPC thread.
ThreadCtx& io_caller(const char* function);
// What a failing call returns.
int io_fail(int error);

// Waits until the file's part of the outstanding operation is done, and delivers what it read. Not
// collective.
void finish_outstanding(ThreadCtx& c, IoFile& file);
// The result of an operation whose transfer is over: synchronisation at exit, agreement, the file pointer.
upc_off_t conclude(ThreadCtx& c, IoFile& file, IoOperation& operation, const char* function);
// upc_all_fsync: returns an errno value or 0, the same on all threads.
int sync_file(ThreadCtx& c, IoFile& file, const char* function);
// With UPC_DELETE_ON_CLOSE, on thread 0: removes the file. Returns an errno value or 0.
int delete_file(IoFile& file);
// At the thread's orderly end, before the exit barrier: closes what is open. Not collective.
void io_thread_exit(ThreadCtx& c);

}  // namespace upcr
