// SPDX-License-Identifier: BSD-3-Clause
// The open files of a UPC thread. Used by its own thread only: even the state that is common to all threads
// (the common file pointer, flags) is kept by each of them, changed by the same collective calls.
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

// One read or write; an asynchronous one from its start to its completion.
struct IoOperation {
  Transfer transfer;
  bool common = false;      // by the common file pointer: all threads agree on the result
  bool at_pointer = false;  // the file pointer moves
  bool sync_out = false;    // no thread may return from its completion before all can
  WorkItem work;
};

struct IoFile {
  SharedAddr handle;  // a byte of thread 0's memory, unique to this file
  int fd = -1;        // of this thread alone, as are its locks and position
  int flags = 0;
  std::uint64_t pointer = 0;
  std::string name;
  std::string to_delete;    // thread 0, with UPC_DELETE_ON_CLOSE: the absolute path
  TemporaryFile temporary;  // the same, as the launcher has it
  std::vector<IoHint> hints;
  std::vector<bupc_hint_S_trans> hint_view;  // what UPC_GET_HINTS returned
  std::unique_ptr<IoOperation> outstanding;

  bool strong() const noexcept { return (flags & UPC_STRONG_CA) != 0; }
  bool common() const noexcept { return (flags & UPC_COMMON_FP) != 0; }
  bool writable() const noexcept { return (flags & (UPC_WRONLY | UPC_RDWR)) != 0; }
};

struct IoState {
  SharedAddr contributions;  // io/agree.cpp
  std::vector<std::unique_ptr<IoFile>> files;
};

// The calling thread's state; allocated at the first use.
IoState& io_state(ThreadCtx& c);
// For the entry points: the open file of this handle; else nullptr, and errno is EBADF.
IoFile* find_file(ThreadCtx& c, upcr_pshared_ptr_t handle);
// The calling UPC thread.
ThreadCtx& io_caller(const char* function);
// Sets errno to `error` and returns what a failing call returns.
int io_fail(int error);

// Waits until the file access of the outstanding operation is done, and scatters what it read. Not
// collective.
void finish_outstanding(ThreadCtx& c, IoFile& file);
// Ends an operation whose transfer is over: synchronises at exit, agrees on the result, moves the file
// pointer. Returns the result of the call.
upc_off_t conclude(ThreadCtx& c, IoFile& file, IoOperation& operation, const char* function);
// upc_all_fsync: returns an errno value or 0, the same on all threads.
int sync_file(ThreadCtx& c, IoFile& file, const char* function);
// With UPC_DELETE_ON_CLOSE, on thread 0: removes the file. Returns an errno value or 0.
int delete_file(IoFile& file);
// At the thread's orderly end, before the exit barrier: closes what is open. Not collective.
void io_thread_exit(ThreadCtx& c);

}  // namespace upcr
