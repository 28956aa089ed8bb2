// SPDX-License-Identifier: BSD-3-Clause
// Sizes, alignments and offsets of members as the C compiler will choose them: LP64, System V ABI for x86-64,
// with GNU attributes packed and aligned and #pragma pack. Block sizes and THREADS bounds are computed from
// them, so they are exact or unknown.
#pragma once
#include <optional>
#include <vector>

#include "tools/upc2c/type/types.hpp"

namespace upc2c {

// Bytes; of shared arrays in the dynamic environment a multiple of THREADS. Nothing for incomplete types,
// variable length arrays and what is not known. Functions and void have size 1, as in GNU C.
std::optional<Extent> size_of(QualType type);
// 0 where it is not known.
std::uint32_t align_of(QualType type);
// The number of ultimate elements of an array, 1 of anything else; nothing for incomplete and variable ones.
std::optional<Extent> element_count(QualType type);

// Gives the fields of a record their offsets, and the record its size and alignment: it is complete then.
void lay_out(Record& record, const Types& types);

// A member of a record, or of an anonymous member of it.
struct Member {
  std::vector<const Field*> path;  // from the outside to the member itself
  std::uint64_t bit_offset = 0;

  const Field& field() const { return *path.back(); }
};
std::optional<Member> find_member(const Record& record, NameId name);

// Bytes of one block of a shared object whose element type is given, and so on: what upc_localsizeof is.
// `threads`: the number of threads in the static environment, else 0.
std::optional<std::int64_t> local_size_of(QualType type, std::int64_t threads);
// The block size that [*] means for an object of this type: ceil(N / THREADS). Nothing if N is not known or,
// in the dynamic environment, is no multiple of THREADS.
std::optional<std::int64_t> star_block(QualType type, std::int64_t threads);

}  // namespace upc2c
