// SPDX-License-Identifier: BSD-3-Clause
// The open files of a thread, and the operations that entry points share.
#include "upcr/io/state.hpp"

#include <unistd.h>

#include <cerrno>

#include "conduits/core/progress/progress.hpp"
#include "include/upcr/layout.h"
#include "upcr/io/agree.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

IoState& io_state(ThreadCtx& c) {
  if (c.io == nullptr) c.io = new IoState;
  return *c.io;
}

IoFile* find_file(ThreadCtx& c, upcr_pshared_ptr_t handle) {
  if (c.io != nullptr) {
    const SharedAddr wanted = decode(handle);
    for (const auto& file : c.io->files)
      if (file->handle.offset == wanted.offset && wanted.thread == 0) return file.get();
  }
  errno = EBADF;
  return nullptr;
}

ThreadCtx& io_caller(const char* function) {
#if UPCR_DEBUG
  upcri_check_thread(function);
#endif
  return ctx(function);
}

int io_fail(int error) {
  errno = error;
  return -1;
}

void finish_outstanding(ThreadCtx& c, IoFile& file) {
  IoOperation& operation = *file.outstanding;
  job().progress.wait_until(c.thread, {"an asynchronous operation on a file"},
                            [&] { return operation.work.done.load(std::memory_order_acquire); });
  operation.transfer.finish();
}

upc_off_t conclude(ThreadCtx& c, IoFile& file, IoOperation& operation, const char* function) {
  int error = operation.transfer.error;
  std::uint64_t moved = operation.transfer.moved;
  if (operation.common) {
    const Agreement all = agree(c, function, {}, error, moved);
    error = all.error;
    moved = all.sum;
  } else if (operation.sync_out) {
    io_barrier(c, function);
  }
  if (error != 0) return io_fail(error);
  if (operation.at_pointer) file.pointer += moved;
  return static_cast<upc_off_t>(moved);
}

int sync_file(ThreadCtx& c, IoFile& file, const char* function) {
  io_barrier(c, function);  // all threads have written
  int error = 0;
  // Once per process is enough. A special file (EINVAL) has nothing to synchronise.
  if (c.local_index == 0 && file.writable() && fsync(file.fd) != 0 && errno != EINVAL && errno != EROFS)
    error = errno;
  return agree(c, function, {}, error).error;
}

int delete_file(IoFile& file) {
  if (file.to_delete.empty()) return 0;
  const int error = unlink(file.to_delete.c_str()) == 0 ? 0 : errno;
  if (!file.temporary.path.empty()) forget_at_job_end(file.temporary);
  return error;
}

void io_thread_exit(ThreadCtx& c) {
  if (c.io == nullptr) return;
  for (const auto& file : c.io->files) {
    if (file->outstanding != nullptr) finish_outstanding(c, *file);
    if (file->writable()) (void)fsync(file->fd);
    close(file->fd);
    (void)delete_file(*file);
  }
  delete c.io;
  c.io = nullptr;
}

}  // namespace upcr
