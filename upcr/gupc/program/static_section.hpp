// SPDX-License-Identifier: BSD-3-Clause
// Copies of the linker section of static shared data in the segments: one for each UPC thread, behind the
// runtime area, accessed like other shared memory. Called by upcr_startup_spawn() for every program; most
// have no such section.
#pragma once
#include <cstddef>

namespace upcr::gupc {

// Bytes of the section, 0 without one. Any time.
std::size_t static_section_bytes();
// Once per process, before the UPC threads: sets the offset of the copies (upcri_gupc_statics,
// upcri_gupc_reach).
void place_static_section();
// On each UPC thread, before a barrier: fills its copy, at `to` in its segment, which is zero.
void copy_static_section(char* to);

}  // namespace upcr::gupc
