// SPDX-License-Identifier: BSD-3-Clause
// Where segments lie in the window group's memory file, and the choice of that place.
//
//   dense    one behind the other. Each is mapped by itself, and addresses between them are not mapped: an
//            access outside every segment is a SIGSEGV.
//   spread   as far from each other as their addresses, 2^stride_bits bytes. One mapping covers all of them,
//            and holes of the file the rest. Only this process's segment and the first one (to which null
//            pointers lead) have unmapped bytes at both ends; stray writes into others are found by their
//            owners at the end of the job (check_strays).
//
// With P processes on a host a dense file has P mappings in each, P^2 in all, and the kernel keeps all
// mappings of a file in one tree under one lock: 5 us and more to make and remove one of a million, 6 s of
// processor time for 1,024 processes. Where CPUs are few that is the larger part of a job's start.
// docs/explanation/decisions/24-spread-segments.md.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

struct SegmentMap;

// The distance of segments in a file that is to be made for the window group: 2^stride_bits or `bytes`. The
// group's first process decides by it, and the others find out (segment_distance).
std::size_t choose_segment_distance(const Topology& t, std::uint32_t threads_per_cpu, std::size_t bytes,
                                    unsigned stride_bits);

// Where the segment of the window group's n-th slot begins in the file. The file's size tells how far apart
// they are.
std::size_t segment_distance(const MemoryFile& memory, Slot slots);
inline bool is_spread(const MemoryFile& memory, Slot slots, std::size_t bytes) {
  return segment_distance(memory, slots) != bytes;
}
inline std::size_t segment_offset(const MemoryFile& memory, Slot slots, Slot nth) {
  return memory.segments_offset() + nth * segment_distance(memory, slots);
}

// Maps all segments of a spread file at `reservation`. `skipped`: bytes at the start of a segment that stay
// unmapped where that is possible.
void map_spread(const MemoryFile& memory, const Topology& t, char* reservation, std::size_t bytes,
                std::size_t skipped, unsigned stride_bits);

// At the end of the job, when no thread accesses shared memory: reports bytes that were written outside this
// process's segments, in a spread file.
void check_strays(const MemoryFile& memory, const Topology& t, const SegmentMap& segments);

}  // namespace upcr
