// SPDX-License-Identifier: BSD-3-Clause
// Non-contiguous copies (VIS) between UPC threads. vis.cpp: the public functions. lists.cpp: lists;
// local_lists.cpp: lists in memory that is mapped here; remote_lists.cpp: lists between this process and one
// other. sections.cpp: sections. runs.cpp: copies for loops. check.cpp: the checks of debug builds. UPC
// threads; not from a handler.
#pragma once
#include "conduits/core/vis/vis.hpp"
#include "include/upcr/access.h"
#include "include/upcr/vis.h"
#include "upcr/access/data.hpp"

namespace upcr {

// The location of memory for core/vis: an address in this process, or in the process that has it mapped.
struct VisLocation {
  std::uint64_t address = 0;
  Rank rank = 0;  // of the process, if not `here`
  bool here = true;
};
inline VisLocation vis_locate(upcr_shared_ptr_t p) noexcept {
  std::uintptr_t here;
  if (upcri_find(p, 0, 1, &here)) return {here, 0, true};
  const SharedAddr a = decode(p);
  check_thread(a);
  if (void* m = mapped(a)) return {reinterpret_cast<std::uint64_t>(m), 0, true};
  return {remote_address(a), rank_of(a), false};
}
inline VisLocation vis_locate(const void* p) noexcept {
  return {reinterpret_cast<std::uint64_t>(p), 0, true};
}

// One side of a call with lists: the caller's list. Its entries are structs of address and length, or
// addresses.
struct VisList {
  bool shared;
  const void* list;
  std::size_t count;
  std::size_t length;  // of every entry; 0: entries have lengths of their own

  VisLocation locate(std::size_t i) const noexcept {
    if (!shared) return vis_locate(length != 0 ? static_cast<void* const*>(list)[i] : priv()[i].addr);
    return vis_locate(pointer(i));
  }
  upcr_shared_ptr_t pointer(std::size_t i) const noexcept {
    return length != 0 ? static_cast<const upcr_shared_ptr_t*>(list)[i]
                       : static_cast<const bupc_smemvec_t*>(list)[i].addr;
  }
  const void* address(std::size_t i) const noexcept {
    return length != 0 ? static_cast<void* const*>(list)[i] : priv()[i].addr;
  }
  std::size_t bytes(std::size_t i) const noexcept {
    if (length != 0) return length;
    return shared ? static_cast<const bupc_smemvec_t*>(list)[i].len : priv()[i].len;
  }

 private:
  const bupc_pmemvec_t* priv() const noexcept { return static_cast<const bupc_pmemvec_t*>(list); }
};

// One side of a section call: the section's base is relative to this pointer.
struct VisEnd {
  bool shared;
  upcr_shared_ptr_t pointer;
  const void* address;
  VisLocation locate() const noexcept { return shared ? vis_locate(pointer) : vis_locate(address); }
};

// Two consecutive bounce buffers of kVisBounceBytes of the calling thread, for copies between two other
// processes. Used by one call at a time.
inline constexpr std::size_t kVisBounceBytes = 64 << 10;
char* vis_bounce_buffers();

// Starts a copy; `done` counts its pending operations. `lists`: whether the caller keeps its lists until
// then.
void vis_copy_lists(const VisList& to, const VisList& from, Pending& done, VisLists lists);
// If all entries are mapped here. False: an entry is not, and perhaps a part was copied.
bool vis_copy_lists_local(const VisList& to, const VisList& from) noexcept;
// If one list is mapped here and the other one is in one process whose memory is not. False: nothing was
// started.
bool vis_copy_lists_remote(const VisList& to, const VisList& from, Pending& done, VisLists lists);
// Copies sections; the bases of the shapes are 0, and are replaced by the locations of `to` and `from`.
void vis_copy_sections(const VisEnd& to, const VisSection& to_shape, const VisEnd& from,
                       const VisSection& from_shape, Pending& done);

#if UPCR_DEBUG
// Fatal when a rule of include/upcr/vis.h is broken. `function` is the public call's name.
void vis_check_lists(const char* function, const VisList& to, const VisList& from);
void vis_check_lengths(const char* function, std::size_t dstcount, std::size_t dstlen, std::size_t srccount,
                       std::size_t srclen);
void vis_check_array(const char* function, const char* name, const void* array, std::size_t entries);
void vis_check_chunks(const char* function, const char* side, std::size_t length, std::size_t stride,
                      std::size_t count);
void vis_check_strides(const char* function, const char* side, const std::size_t* strides,
                       const std::size_t* count, std::size_t levels);
void vis_check_transpose(const char* function, const std::ptrdiff_t* strides, const std::size_t* count,
                         std::size_t levels);
// Checks ranges and overlap.
void vis_check_sections(const char* function, const VisEnd& to, const VisSection& to_shape,
                        const VisEnd& from, const VisSection& from_shape);
#endif

}  // namespace upcr
