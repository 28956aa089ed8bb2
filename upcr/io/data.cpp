// SPDX-License-Identifier: BSD-3-Clause
// The reads and writes: arguments become a Transfer, which runs now or in the background.
#include <cerrno>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/access/check.hpp"
#include "upcr/io/agree.hpp"
#include "upcr/io/owners.hpp"
#include "upcr/io/state.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

enum class Kind { kLocal, kShared, kListLocal, kListShared };

struct Request {
  const char* function;
  Kind kind;
  bool write;
  bool async;
  upcr_pshared_ptr_t fd;
  int sync;

  // The contiguous kinds; `shared` instead of `local` for kShared.
  void* local = nullptr;
  upcr_shared_ptr_t shared = upcr_null_shared;
  std::size_t blocksize = 0, size = 0, nmemb = 0;

  // The lists.
  std::size_t memvecs = 0, filevecs = 0;
  const void* memvec = nullptr;
  const bupc_filevec_S_trans* filevec = nullptr;

  bool list() const noexcept { return kind == Kind::kListLocal || kind == Kind::kListShared; }
  bool shared_memory() const noexcept { return kind == Kind::kShared || kind == Kind::kListShared; }
};

// At most one of each half of the flags, and nothing else.
bool sync_is_good(int sync) {
  constexpr int kIn = UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC,
                kOut = UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC;
  const auto one_at_most = [](int bits) { return (bits & (bits - 1)) == 0; };
  return (sync & ~(kIn | kOut)) == 0 && one_at_most(sync & kIn) && one_at_most(sync & kOut);
}
// Must all threads have called? MYSYNC concerns memory that other threads may read or write.
bool waits(const Request& r, int nosync, int mysync) {
  return (r.sync & nosync) == 0 && ((r.sync & mysync) == 0 || r.shared_memory());
}

// An errno value for a wrong call, the same on all threads; 0: none.
int check_call(const Request& r, const IoFile& file) {
  if (!sync_is_good(r.sync)) return EINVAL;
  if (r.write ? !file.writable() : (file.flags & UPC_WRONLY) != 0) return EBADF;
  if (r.kind == Kind::kLocal && file.common()) return EINVAL;
  return 0;
}

int add_shared(MemStream& memory, const char* function, upcr_shared_ptr_t pointer, std::uint64_t unit,
               std::uint64_t blocksize, std::uint64_t bytes) {
  if (bytes == 0) return 0;
  if (upcr_isnull_shared(pointer)) {
    check_access(function, pointer, 0, bytes, 0);
    return EFAULT;
  }
  std::uint64_t block, phase = blocksize > 1 ? upcr_phaseof_shared(pointer) : 0;
  if (__builtin_mul_overflow(blocksize, unit, &block)) return EINVAL;
  if (phase >= blocksize && blocksize > 1) {
#if UPCR_DEBUG
    fatal("%s: the phase of the buffer is %llu, which is not a position in blocks of %llu", function,
          static_cast<unsigned long long>(phase), static_cast<unsigned long long>(blocksize));
#endif
    return EINVAL;
  }
  phase *= unit;
  memory.add_shared(decode(pointer), phase, block, bytes);
#if UPCR_DEBUG
  const MemRegion& region = memory.regions().back();
  each_owner(region, region.at,
             [&](const Owned& owned) { check_access(function, encode(owned.address), 0, owned.bytes, 0); });
#endif
  return 0;
}

int add_contiguous(const Request& r, const IoFile& file, Transfer& t) {
  std::uint64_t bytes, end;
  if (__builtin_mul_overflow(r.size, r.nmemb, &bytes)) return EINVAL;
  if (__builtin_add_overflow(file.pointer, bytes, &end) || end > INT64_MAX) return EFBIG;
  t.file.add(file.pointer, bytes);
  if (r.kind == Kind::kLocal) {
    if (bytes != 0 && r.local == nullptr) return EFAULT;
    t.memory.add_local(r.local, bytes);
    return 0;
  }
  return add_shared(t.memory, r.function, r.shared, r.size, r.blocksize, bytes);
}

int add_lists(const Request& r, Transfer& t) {
  if ((r.memvecs != 0 && r.memvec == nullptr) || (r.filevecs != 0 && r.filevec == nullptr)) return EFAULT;
  std::uint64_t in_memory = 0, in_file = 0, end;
  for (std::size_t i = 0; i < r.memvecs; ++i) {
    if (r.kind == Kind::kListLocal) {
      const auto& v = static_cast<const bupc_local_memvec_S_trans*>(r.memvec)[i];
      if (__builtin_add_overflow(in_memory, v.len, &in_memory)) return EINVAL;
      if (v.len != 0 && v.baseaddr == nullptr) return EFAULT;
      t.memory.add_local(v.baseaddr, v.len);
    } else {
      const auto& v = static_cast<const bupc_shared_memvec_S_trans*>(r.memvec)[i];
      if (__builtin_add_overflow(in_memory, v.len, &in_memory)) return EINVAL;
      if (const int error = add_shared(t.memory, r.function, v.baseaddr, 1, v.blocksize, v.len)) return error;
    }
  }
  for (std::size_t i = 0; i < r.filevecs; ++i) {
    const auto& v = r.filevec[i];
    if (v.offset < 0 || __builtin_add_overflow(in_file, v.len, &in_file)) return EINVAL;
    if (__builtin_add_overflow(static_cast<std::uint64_t>(v.offset), v.len, &end) || end > INT64_MAX)
      return EFBIG;
    t.file.add(static_cast<std::uint64_t>(v.offset), v.len);
  }
  return in_memory == in_file ? 0 : EINVAL;
}

Share my_share(const ThreadCtx& c, const IoOperation& operation) {
  const auto& regions = operation.transfer.memory.regions();
  if (regions.empty()) return {};
  if (!operation.common) return Share::whole(operation.transfer.memory.bytes());
  return share_of(regions.front(), c.thread, job().topology.slots());
}

void check_arguments(ThreadCtx& c, const Request& r, bool common) {
  const auto number = [](std::size_t n) { return static_cast<std::uint64_t>(n); };
  const std::uint64_t fd = pack(decode(r.fd)), sync = static_cast<std::uint64_t>(r.sync);
  if (common)
    check_single_valued_args(c, r.function,
                             {{"fd", fd},
                              {"sync_mode", sync},
                              {"buffer", pack(decode(r.shared))},
                              {"blocksize", number(r.blocksize)},
                              {"size", number(r.size)},
                              {"nmemb", number(r.nmemb)}});
  else
    check_single_valued_args(c, r.function, {{"fd", fd}, {"sync_mode", sync}});
}

// Prepares an operation up to the transfer. An error of this thread is recorded in the transfer: the thread
// must still synchronise with the others.
void prepare(ThreadCtx& c, const Request& r, IoFile& file, IoOperation& operation) {
  Transfer& t = operation.transfer;
  t.error = check_call(r, file);
  if (t.error != 0) return;
  operation.common = file.common() && !r.list();
  operation.at_pointer = !r.list();
  operation.sync_out = waits(r, UPC_OUT_NOSYNC, UPC_OUT_MYSYNC);
  check_arguments(c, r, operation.common);
  t.write = r.write;
  t.strong = file.strong();
  t.fd = file.fd;
  t.error = r.list() ? add_lists(r, t) : add_contiguous(r, file, t);
  if (t.error == 0) t.share = my_share(c, operation);
  if (waits(r, UPC_IN_NOSYNC, UPC_IN_MYSYNC)) io_barrier(c, r.function);
}

upc_off_t run_now(ThreadCtx& c, const Request& r, IoFile& file) {
  if (file.outstanding != nullptr) return io_fail(EBUSY);
  IoOperation operation;
  prepare(c, r, file, operation);
  if (operation.transfer.error == 0) operation.transfer.run();
  return conclude(c, file, operation, r.function);
}

void run_async(ThreadCtx& c, const Request& r, IoFile& file) {
  if (file.outstanding != nullptr)
    fatal(
        "%s: an asynchronous operation is outstanding on the file '%s' already; complete it with "
        "upc_all_fwait_async first",
        r.function, file.name.c_str());
  file.outstanding.reset(new IoOperation);
  IoOperation& operation = *file.outstanding;
  prepare(c, r, file, operation);
  if (operation.transfer.error == 0) operation.transfer.begin();
  operation.work.transfer = &operation.transfer;
  operation.work.owner = c.thread;
  if (operation.transfer.error == 0)
    run_in_background(operation.work);
  else
    operation.work.done.store(true);
}

std::size_t bytes_of(const Request& r) noexcept {
  std::size_t bytes = r.size * r.nmemb;
  for (std::size_t i = 0; i < r.filevecs; ++i) bytes += r.filevec[i].len;
  return bytes;
}

upc_off_t perform(Request& r) {
  const observe::Span span(r.write ? observe::Kind::kIoWrite : observe::Kind::kIoRead,
                           {observe::observing ? bytes_of(r) : 0});
  ThreadCtx& c = io_caller(r.function);
  IoFile* const file = find_file(c, r.fd);
  const bool by_flag = !r.async && (r.sync & UPC_ASYNC) != 0;  // such a call can return an error
  r.sync &= ~UPC_ASYNC;
  if (file == nullptr) {
    if (r.async)
      fatal("%s: the handle is not of an open file, and an asynchronous call cannot return an error",
            r.function);
    return -1;
  }
  if (by_flag && file->outstanding != nullptr) return io_fail(EBUSY);
  if (!r.async && !by_flag) return run_now(c, r, *file);
  run_async(c, r, *file);
  return 0;
}

upc_off_t transfer_local(const char* function, bool write, bool async, upcr_pshared_ptr_t fd,
                         const void* buffer, size_t size, size_t nmemb, int sync) {
  Request r{function, Kind::kLocal, write, async, fd, sync};
  r.local = const_cast<void*>(buffer);
  r.size = size;
  r.nmemb = nmemb;
  return perform(r);
}

upc_off_t transfer_shared(const char* function, bool write, bool async, upcr_pshared_ptr_t fd,
                          upcr_shared_ptr_t buffer, size_t blocksize, size_t size, size_t nmemb, int sync) {
  Request r{function, Kind::kShared, write, async, fd, sync};
  r.shared = buffer;
  r.blocksize = blocksize;
  r.size = size;
  r.nmemb = nmemb;
  return perform(r);
}

upc_off_t transfer_list(const char* function, Kind kind, bool write, bool async, upcr_pshared_ptr_t fd,
                        size_t memvecs, const void* memvec, size_t filevecs, const void* filevec, int sync) {
  Request r{function, kind, write, async, fd, sync};
  r.memvecs = memvecs;
  r.memvec = memvec;
  r.filevecs = filevecs;
  r.filevec = static_cast<const bupc_filevec_S_trans*>(filevec);
  return perform(r);
}

upc_off_t complete(ThreadCtx& c, IoFile& file, const char* function) {
  finish_outstanding(c, file);
  const std::unique_ptr<IoOperation> operation = std::move(file.outstanding);
  return conclude(c, file, *operation, function);
}

}  // namespace
extern "C" {

UPCRI_API upc_off_t _upcr_all_fread_local(upcr_pshared_ptr_t fd, void* buffer, size_t size, size_t nmemb,
                                          int sync) {
  return transfer_local("upc_all_fread_local", false, false, fd, buffer, size, nmemb, sync);
}
UPCRI_API upc_off_t _upcr_all_fwrite_local(upcr_pshared_ptr_t fd, void* buffer, size_t size, size_t nmemb,
                                           int sync) {
  return transfer_local("upc_all_fwrite_local", true, false, fd, buffer, size, nmemb, sync);
}
UPCRI_API void _upcr_all_fread_local_async(upcr_pshared_ptr_t fd, void* buffer, size_t size, size_t nmemb,
                                           int sync) {
  transfer_local("upc_all_fread_local_async", false, true, fd, buffer, size, nmemb, sync);
}
UPCRI_API void _upcr_all_fwrite_local_async(upcr_pshared_ptr_t fd, void* buffer, size_t size, size_t nmemb,
                                            int sync) {
  transfer_local("upc_all_fwrite_local_async", true, true, fd, buffer, size, nmemb, sync);
}

UPCRI_API upc_off_t _upcr_all_fread_shared(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer, size_t blocksize,
                                           size_t size, size_t nmemb, int sync) {
  return transfer_shared("upc_all_fread_shared", false, false, fd, buffer, blocksize, size, nmemb, sync);
}
UPCRI_API upc_off_t _upcr_all_fwrite_shared(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer, size_t blocksize,
                                            size_t size, size_t nmemb, int sync) {
  return transfer_shared("upc_all_fwrite_shared", true, false, fd, buffer, blocksize, size, nmemb, sync);
}
UPCRI_API void _upcr_all_fread_shared_async(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer, size_t blocksize,
                                            size_t size, size_t nmemb, int sync) {
  transfer_shared("upc_all_fread_shared_async", false, true, fd, buffer, blocksize, size, nmemb, sync);
}
UPCRI_API void _upcr_all_fwrite_shared_async(upcr_pshared_ptr_t fd, upcr_shared_ptr_t buffer,
                                             size_t blocksize, size_t size, size_t nmemb, int sync) {
  transfer_shared("upc_all_fwrite_shared_async", true, true, fd, buffer, blocksize, size, nmemb, sync);
}

UPCRI_API upc_off_t _upcr_all_fread_list_local(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                               const void* memvec, size_t filevec_entries,
                                               const void* filevec, int sync) {
  return transfer_list("upc_all_fread_list_local", Kind::kListLocal, false, false, fd, memvec_entries, memvec,
                       filevec_entries, filevec, sync);
}
UPCRI_API upc_off_t _upcr_all_fwrite_list_local(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                const void* memvec, size_t filevec_entries,
                                                const void* filevec, int sync) {
  return transfer_list("upc_all_fwrite_list_local", Kind::kListLocal, true, false, fd, memvec_entries, memvec,
                       filevec_entries, filevec, sync);
}
UPCRI_API upc_off_t _upcr_all_fread_list_shared(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                const void* memvec, size_t filevec_entries,
                                                const void* filevec, int sync) {
  return transfer_list("upc_all_fread_list_shared", Kind::kListShared, false, false, fd, memvec_entries,
                       memvec, filevec_entries, filevec, sync);
}
UPCRI_API upc_off_t _upcr_all_fwrite_list_shared(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                 const void* memvec, size_t filevec_entries,
                                                 const void* filevec, int sync) {
  return transfer_list("upc_all_fwrite_list_shared", Kind::kListShared, true, false, fd, memvec_entries,
                       memvec, filevec_entries, filevec, sync);
}
UPCRI_API void _upcr_all_fread_list_local_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                const void* memvec, size_t filevec_entries,
                                                const void* filevec, int sync) {
  transfer_list("upc_all_fread_list_local_async", Kind::kListLocal, false, true, fd, memvec_entries, memvec,
                filevec_entries, filevec, sync);
}
UPCRI_API void _upcr_all_fwrite_list_local_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                 const void* memvec, size_t filevec_entries,
                                                 const void* filevec, int sync) {
  transfer_list("upc_all_fwrite_list_local_async", Kind::kListLocal, true, true, fd, memvec_entries, memvec,
                filevec_entries, filevec, sync);
}
UPCRI_API void _upcr_all_fread_list_shared_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                 const void* memvec, size_t filevec_entries,
                                                 const void* filevec, int sync) {
  transfer_list("upc_all_fread_list_shared_async", Kind::kListShared, false, true, fd, memvec_entries, memvec,
                filevec_entries, filevec, sync);
}
UPCRI_API void _upcr_all_fwrite_list_shared_async(upcr_pshared_ptr_t fd, size_t memvec_entries,
                                                  const void* memvec, size_t filevec_entries,
                                                  const void* filevec, int sync) {
  transfer_list("upc_all_fwrite_list_shared_async", Kind::kListShared, true, true, fd, memvec_entries, memvec,
                filevec_entries, filevec, sync);
}

UPCRI_API upc_off_t _upcr_all_fwait_async(upcr_pshared_ptr_t fd) {
  const char* const function = "upc_all_fwait_async";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  check_single_valued_args(c, function, {{"fd", pack(decode(fd))}});
  if (file->outstanding == nullptr) return io_fail(EINVAL);
  return complete(c, *file, function);
}

UPCRI_API upc_off_t _upcr_all_ftest_async(upcr_pshared_ptr_t fd, int* flag) {
  const char* const function = "upc_all_ftest_async";
  ThreadCtx& c = io_caller(function);
  *flag = 0;
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  if (file->outstanding == nullptr) return io_fail(EINVAL);
  const bool ready = file->outstanding->work.done.load(std::memory_order_acquire);
  const Agreement all = agree(c, function, {{"fd", pack(decode(fd))}}, 0, ready ? 1 : 0);
  if (all.sum != job().topology.slots()) {
    job().progress.poll();
    return 0;
  }
  *flag = 1;
  return complete(c, *file, function);
}

}  // extern "C"
}  // namespace upcr
