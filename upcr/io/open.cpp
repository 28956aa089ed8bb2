// SPDX-License-Identifier: BSD-3-Clause
// upc_all_fopen, upc_all_fclose, upc_all_fsync.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "include/upcr/heap.h"
#include "upcr/io/agree.hpp"
#include "upcr/io/state.hpp"
#include "upcr/observe/span.hpp"

namespace upcr {
namespace {

constexpr int kAllFlags = UPC_RDONLY | UPC_WRONLY | UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_COMMON_FP |
                          UPC_APPEND | UPC_CREATE | UPC_EXCL | UPC_STRONG_CA | UPC_TRUNC |
                          UPC_DELETE_ON_CLOSE;

bool exactly_one(int bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

bool flags_are_good(int flags) {
  return (flags & ~kAllFlags) == 0 && exactly_one(flags & (UPC_RDONLY | UPC_WRONLY | UPC_RDWR)) &&
         exactly_one(flags & (UPC_INDIVIDUAL_FP | UPC_COMMON_FP)) &&
         ((flags & UPC_EXCL) == 0 || (flags & UPC_CREATE) != 0) &&
         ((flags & UPC_TRUNC) == 0 || (flags & UPC_RDONLY) == 0);
}

int access_mode(int flags) {
  return (flags & UPC_RDONLY) != 0 ? O_RDONLY : (flags & UPC_WRONLY) != 0 ? O_WRONLY : O_RDWR;
}

int copy_hints(IoFile& file, const bupc_hint_S_trans* hints, std::size_t count) {
  if (count != 0 && hints == nullptr) return EINVAL;
  for (std::size_t i = 0; i < count; ++i) {
    if (hints[i].key == nullptr || hints[i].value == nullptr) return EINVAL;
    file.hints.push_back({hints[i].key, hints[i].value});
  }
  return 0;
}

mode_t permission(const IoFile& file) {
  for (const IoHint& hint : file.hints)
    if (hint.key == "file_perm")
      return static_cast<mode_t>(std::strtoul(hint.value.c_str(), nullptr, 8)) & 07777;
  return 0666;
}

// `extra`: O_CREAT and the like. Returns an errno value or 0.
int open_file(IoFile& file, int extra) {
  do file.fd = open(file.name.c_str(), access_mode(file.flags) | extra | O_CLOEXEC, permission(file));
  while (file.fd < 0 && errno == EINTR);
  if (file.fd < 0) return errno;
  struct stat about;
  if (fstat(file.fd, &about) != 0) return errno;
  return S_ISDIR(about.st_mode) ? EISDIR : 0;
}

// Thread 0: creates, checks and truncates the file according to the flags; *size receives its size.
int open_first(IoFile& file, std::uint64_t* size) {
  int extra = 0;
  if ((file.flags & UPC_CREATE) != 0) extra |= O_CREAT;
  if ((file.flags & UPC_EXCL) != 0) extra |= O_EXCL;
  if ((file.flags & UPC_TRUNC) != 0) extra |= O_TRUNC;
  if (const int error = open_file(file, extra)) return error;
  struct stat about;
  if (fstat(file.fd, &about) != 0) return errno;
  *size = static_cast<std::uint64_t>(about.st_size);
  if ((file.flags & UPC_DELETE_ON_CLOSE) != 0) {
    char* const path = realpath(file.name.c_str(), nullptr);
    if (path == nullptr) return errno;
    file.to_delete = path;
    std::free(path);
  }
  return 0;
}

// Has the launcher delete the file if the program ends without closing it.
void delete_at_job_end(IoFile& file) {
  struct stat about;
  if (file.to_delete.empty() || fstat(file.fd, &about) != 0) return;
  file.temporary = {file.to_delete, about.st_dev, about.st_ino};
  remove_at_job_end(file.temporary);
}

// Fails on all threads, whether or not this one has opened its file.
upcr_pshared_ptr_t fail_open(const IoFile& file, int error) {
  if (file.fd >= 0) close(file.fd);
  errno = error;
  return upcr_null_pshared;
}

}  // namespace
extern "C" {

UPCRI_API upcr_pshared_ptr_t _upcr_all_fopen(const char* fname, int flags, size_t numhints,
                                             const void* hints) {
  const char* const function = "upc_all_fopen";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  std::unique_ptr<IoFile> file(new IoFile);
  file->flags = flags;
  int error = fname == nullptr || !flags_are_good(flags) ? EINVAL : 0;
  if (error == 0) {
    file->name = fname;
    error = copy_hints(*file, static_cast<const bupc_hint_S_trans*>(hints), numhints);
  }
  std::uint64_t size = 0;
  if (c.thread == 0 && error == 0) error = open_first(*file, &size);
  const Agreement first = agree(c, function, {{"flags", static_cast<std::uint64_t>(flags)}}, error, size);
  if (first.error != 0) return fail_open(*file, first.error);
  if (c.thread != 0) error = open_file(*file, 0);
  const Agreement others = agree(c, function, {}, error);
  if (others.error != 0) return fail_open(*file, others.error);
  if ((flags & UPC_APPEND) != 0) file->pointer = first.sum;
  delete_at_job_end(*file);
  const upcr_shared_ptr_t handle = upcr_all_alloc(1, 1);
  file->handle = decode(handle);
  io_state(c).files.push_back(std::move(file));
  return upcr_shared_to_pshared(handle);
}

UPCRI_API int _upcr_all_fclose(upcr_pshared_ptr_t fd) {
  const char* const function = "upc_all_fclose";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  // An individual operation may be outstanding on some threads only: all of them fail, or none.
  const int busy =
      agree(c, function, {{"fd", pack(decode(fd))}}, file->outstanding != nullptr ? EBUSY : 0).error;
  if (busy != 0) return io_fail(busy);
  int error = sync_file(c, *file, function);
  if (close(file->fd) != 0 && error == 0) error = errno;
  const int deleted = delete_file(*file);
  if (error == 0) error = deleted;
  error = agree(c, function, {}, error).error;
  if (c.thread == 0) upcr_free(encode(file->handle));
  auto& files = io_state(c).files;
  for (auto it = files.begin(); it != files.end(); ++it) {
    if (it->get() != file) continue;
    files.erase(it);
    break;
  }
  return error == 0 ? 0 : io_fail(error);
}

UPCRI_API int _upcr_all_fsync(upcr_pshared_ptr_t fd) {
  const char* const function = "upc_all_fsync";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  check_single_valued_args(c, function, {{"fd", pack(decode(fd))}});
  if (file->outstanding != nullptr) return io_fail(EBUSY);
  const int error = sync_file(c, *file, function);
  return error == 0 ? 0 : io_fail(error);
}

}  // extern "C"
}  // namespace upcr
