// SPDX-License-Identifier: BSD-3-Clause
// upcr_llvm_get_TYPE, upcr_llvm_put_TYPE, upcr_llvm_getn, upcr_llvm_putn and their strict forms (s): what the
// LLVM pass of Clang-UPC emits. The object is a thread and an offset from __upc_shared_start, in bytes.
#include "upcr/gupc/abi/access/access.hpp"

namespace gupc {
namespace {

using i8 = std::uint8_t;
using i16 = std::uint16_t;
using i32 = std::uint32_t;
using i64 = std::uint64_t;
__extension__ using i128 = unsigned __int128;

}  // namespace

#define GUPC_LLVM(name, T)                                          \
  T upcr_llvm_get_##name(long thread, long offset) {                \
    return get<kRelaxed, T>(split(thread, offset, sizeof(T)));      \
  }                                                                 \
  T upcr_llvm_get_##name##s(long thread, long offset) {             \
    return get<kStrict, T>(split(thread, offset, sizeof(T)));       \
  }                                                                 \
  void upcr_llvm_put_##name(long thread, long offset, T value) {    \
    put<kRelaxed>(split(thread, offset, sizeof(T)), value);         \
  }                                                                 \
  void upcr_llvm_put_##name##s(long thread, long offset, T value) { \
    put<kStrict>(split(thread, offset, sizeof(T)), value);          \
  }

extern "C" {

GUPC_LLVM(i8, i8)
GUPC_LLVM(i16, i16)
GUPC_LLVM(i32, i32)
GUPC_LLVM(i64, i64)
GUPC_LLVM(i128, i128)
GUPC_LLVM(float, float)
GUPC_LLVM(double, double)

void upcr_llvm_getn(long thread, long offset, void* dst, size_t n) {
  get_block<kRelaxed>(dst, split(thread, offset, n), n);
}
void upcr_llvm_getns(long thread, long offset, void* dst, size_t n) {
  get_block<kStrict>(dst, split(thread, offset, n), n);
}
void upcr_llvm_putn(const void* src, long thread, long offset, size_t n) {
  put_block<kRelaxed>(split(thread, offset, n), src, n);
}
void upcr_llvm_putns(const void* src, long thread, long offset, size_t n) {
  put_block<kStrict>(split(thread, offset, n), src, n);
}

}  // extern "C"

}  // namespace gupc
