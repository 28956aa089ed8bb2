// SPDX-License-Identifier: BSD-3-Clause
// The position, the size and the properties of an open file.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "upcr/io/agree.hpp"
#include "upcr/io/state.hpp"
#include "upcr/observe/span.hpp"

namespace upcr {
namespace {

int size_of(const IoFile& file, std::uint64_t* size) {
  struct stat about;
  if (fstat(file.fd, &about) != 0) return errno;
  *size = static_cast<std::uint64_t>(about.st_size);
  return 0;
}

// The size that thread 0 reads when all have called.
Agreement agreed_size(ThreadCtx& c, const IoFile& file, const char* function) {
  io_barrier(c, function);
  std::uint64_t size = 0;
  const int error = c.thread == 0 ? size_of(file, &size) : 0;
  return agree(c, function, {}, error, size);
}

// Thread 0 calls `change`, which returns an errno value or 0, when all have called.
template <typename Change>
int change_size(upcr_pshared_ptr_t fd, upc_off_t size, const char* function, Change&& change) {
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  check_single_valued_args(c, function,
                           {{"fd", pack(decode(fd))}, {"size", static_cast<std::uint64_t>(size)}});
  if (file->outstanding != nullptr) return io_fail(EBUSY);
  if (size < 0) return io_fail(EINVAL);
  if (!file->writable()) return io_fail(EBADF);
  io_barrier(c, function);
  const int error = c.thread == 0 ? change(file->fd) : 0;
  const Agreement all = agree(c, function, {}, error);
  return all.error == 0 ? 0 : io_fail(all.error);
}

int set_fp(ThreadCtx& c, IoFile& file, int bit, const char* function) {
  if (const int error = sync_file(c, file, function)) return io_fail(error);
  file.flags = (file.flags & ~(UPC_COMMON_FP | UPC_INDIVIDUAL_FP)) | bit;
  file.pointer = 0;
  return 0;
}

int set_ca(ThreadCtx& c, IoFile& file, int bit, const char* function) {
  if (const int error = sync_file(c, file, function)) return io_fail(error);
  file.flags = (file.flags & ~UPC_STRONG_CA) | bit;
  return 0;
}

int set_hint(IoFile& file, const bupc_hint_S_trans* hint) {
  if (hint == nullptr || hint->key == nullptr || hint->value == nullptr) return io_fail(EINVAL);
  for (IoHint& known : file.hints) {
    if (known.key != hint->key) continue;
    known.value = hint->value;
    return 0;
  }
  file.hints.push_back({hint->key, hint->value});
  return 0;
}

int get_hints(IoFile& file, const bupc_hint_S_trans** out) {
  if (out == nullptr) return io_fail(EINVAL);
  file.hint_view.clear();
  for (const IoHint& hint : file.hints) file.hint_view.push_back({hint.key.c_str(), hint.value.c_str()});
  *out = file.hint_view.data();
  return static_cast<int>(file.hints.size());
}

int control(ThreadCtx& c, IoFile& file, int cmd, void* arg, const char* function) {
  switch (cmd) {
    case UPC_GET_CA_SEMANTICS:
      return file.flags & UPC_STRONG_CA;
    case UPC_SET_WEAK_CA_SEMANTICS:
      return set_ca(c, file, 0, function);
    case UPC_SET_STRONG_CA_SEMANTICS:
      return set_ca(c, file, UPC_STRONG_CA, function);
    case UPC_GET_FP:
      return file.flags & (UPC_COMMON_FP | UPC_INDIVIDUAL_FP);
    case UPC_SET_COMMON_FP:
      return set_fp(c, file, UPC_COMMON_FP, function);
    case UPC_SET_INDIVIDUAL_FP:
      return set_fp(c, file, UPC_INDIVIDUAL_FP, function);
    case UPC_GET_FL:
      return file.flags;
    case UPC_GET_FN:
      if (arg == nullptr) return io_fail(EINVAL);
      *static_cast<const char**>(arg) = file.name.c_str();
      return 0;
    case UPC_GET_HINTS:
      return get_hints(file, static_cast<const bupc_hint_S_trans**>(arg));
    case UPC_SET_HINT:
      return set_hint(file, static_cast<const bupc_hint_S_trans*>(arg));
    case UPC_ASYNC_OUTSTANDING:
      return file.outstanding != nullptr ? 1 : 0;
    default:
      return io_fail(EINVAL);
  }
}

}  // namespace
extern "C" {

UPCRI_API upc_off_t _upcr_all_fseek(upcr_pshared_ptr_t fd, upc_off_t offset, int origin) {
  const char* const function = "upc_all_fseek";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  if (file->common())
    check_single_valued_args(c, function,
                             {{"fd", pack(decode(fd))},
                              {"offset", static_cast<std::uint64_t>(offset)},
                              {"origin", static_cast<std::uint64_t>(origin)}});
  if (file->outstanding != nullptr) return io_fail(EBUSY);
  std::uint64_t from = 0;
  if (origin == UPC_SEEK_CUR) {
    from = file->pointer;
  } else if (origin == UPC_SEEK_END) {
    int error;
    if (file->common()) {
      const Agreement all = agreed_size(c, *file, function);
      error = all.error;
      from = all.sum;
    } else {
      error = size_of(*file, &from);
    }
    if (error != 0) return io_fail(error);
  } else if (origin != UPC_SEEK_SET) {
    return io_fail(EINVAL);
  }
  upc_off_t to;
  if (__builtin_add_overflow(static_cast<upc_off_t>(from), offset, &to)) return io_fail(EOVERFLOW);
  if (to < 0) return io_fail(EINVAL);
  file->pointer = static_cast<std::uint64_t>(to);
  return to;
}

UPCRI_API int _upcr_all_fset_size(upcr_pshared_ptr_t fd, upc_off_t size) {
  return change_size(fd, size, "upc_all_fset_size", [&](int file) {
    int status;
    while ((status = ftruncate(file, size)) != 0 && errno == EINTR) {
    }
    return status == 0 ? 0 : errno;
  });
}

UPCRI_API upc_off_t _upcr_all_fget_size(upcr_pshared_ptr_t fd) {
  const char* const function = "upc_all_fget_size";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  check_single_valued_args(c, function, {{"fd", pack(decode(fd))}});
  if (file->outstanding != nullptr) return io_fail(EBUSY);
  const Agreement all = agreed_size(c, *file, function);
  return all.error == 0 ? static_cast<upc_off_t>(all.sum) : io_fail(all.error);
}

UPCRI_API int _upcr_all_fpreallocate(upcr_pshared_ptr_t fd, upc_off_t size) {
  return change_size(fd, size, "upc_all_fpreallocate", [&](int file) {
    if (size == 0) return 0;
    int error;
    while ((error = posix_fallocate(file, 0, size)) == EINTR) {
    }
    return error;
  });
}

UPCRI_API int _upcr_all_fcntl(upcr_pshared_ptr_t fd, int cmd, void* arg) {
  const char* const function = "upc_all_fcntl";
  const observe::Span span(observe::Kind::kIo);
  ThreadCtx& c = io_caller(function);
  IoFile* const file = find_file(c, fd);
  if (file == nullptr) return -1;
  check_single_valued_args(c, function, {{"fd", pack(decode(fd))}, {"cmd", static_cast<std::uint64_t>(cmd)}});
  constexpr int kChanges =
      UPC_SET_WEAK_CA_SEMANTICS | UPC_SET_STRONG_CA_SEMANTICS | UPC_SET_COMMON_FP | UPC_SET_INDIVIDUAL_FP;
  if ((cmd & kChanges) != 0 && file->outstanding != nullptr) return io_fail(EBUSY);
  return control(c, *file, cmd, arg, function);
}

}  // extern "C"
}  // namespace upcr
