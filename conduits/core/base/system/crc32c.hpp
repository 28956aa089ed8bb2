// SPDX-License-Identifier: BSD-3-Clause
// CRC-32C: the cyclic redundancy check of iSCSI (RFC 3720, appendix B.4) with Castagnoli's polynomial, which
// finds every burst of up to 32 bits. Computed by the processor's instruction (SSE 4.2, AArch64's CRC
// extension) where it has one, else by a table. Debug library only: the release library sends no checksums.
// Any thread.
#pragma once
#include <cstddef>
#include <cstdint>

namespace upcr {

// The check value of `bytes` bytes. `crc`: the value of the bytes before them, 0 where there are none, so
// that crc32c(crc32c(0, a), b) is the value of a and b together.
std::uint32_t crc32c(std::uint32_t crc, const void* data, std::size_t bytes) noexcept;

// Its two implementations, for tests. The second one only where the processor has the instruction.
std::uint32_t crc32c_by_table(std::uint32_t crc, const void* data, std::size_t bytes) noexcept;
std::uint32_t crc32c_by_instruction(std::uint32_t crc, const void* data, std::size_t bytes) noexcept;
bool has_crc32c_instruction() noexcept;

}  // namespace upcr
