// SPDX-License-Identifier: BSD-3-Clause
// An operation of a reduction on one of the eleven types: the loops over private or local shared memory that
// all algorithms here use, chosen once a call. Any thread; they never wait. Arrays are aligned for the type;
// the order of operands is kept, so operations need not commute.
#pragma once
#include <cstddef>

#include "include/upcr/coll_reduce.h"
#include "include/upcr_preinclude/upc_collective_bits.h"

namespace upcr::coll {

struct ReduceOp {
  std::size_t bytes = 0;  // of an element
  bool commutative = true;
  void (*func)() = nullptr;  // the program's, TYPE (*)(TYPE, TYPE)

  // *into = [*into @] in[0] @ ... @ in[n-1]; with `begun` *into comes first. n may be 0 then.
  void (*fold)(const ReduceOp&, void* into, bool begun, const void* in, std::size_t n) = nullptr;
  // out[i] = left[i] @ right[i]. `out` may be either of them.
  void (*combine)(const ReduceOp&, void* out, const void* left, const void* right, std::size_t n) = nullptr;
  // out[i] = [*before @] in[0] @ ... @ in[i]; `out` may be `in`, `before` may be null.
  void (*scan)(const ReduceOp&, void* out, const void* before, const void* in, std::size_t n) = nullptr;
  // The same without in[i] (exclusive scan); out[0] is unchanged if `before` is null.
  void (*scan_before)(const ReduceOp&, void* out, const void* before, const void* in,
                      std::size_t n) = nullptr;
  // out[i * out_step] = in[i * in_step], steps in elements.
  void (*copy)(void* out, std::size_t out_step, const void* in, std::size_t in_step, std::size_t n) = nullptr;
};

// False when the type has no such operation.
bool make_reduce_op(upcri_reduce_type type, upc_op_t op, void (*func)(), ReduceOp* operation);

// Bytes of an element, and T of the functions' names.
std::size_t element_bytes(upcri_reduce_type type);
const char* type_letters(upcri_reduce_type type);
// "UPC_ADD" and so on, or nullptr for an unknown operation.
const char* operation_name(upc_op_t op);

}  // namespace upcr::coll
