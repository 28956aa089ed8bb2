// SPDX-License-Identifier: BSD-3-Clause
// The processes of the fabric: whether they live, and their memory. Under the fabric's mutex.
#pragma once
#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

bool is_alive(Fabric& fabric, std::uint16_t process);
// What a process that is dead had is given back.
void forget(Fabric& fabric, std::uint16_t process);
void forget_dead_processes(Fabric& fabric);

enum class Copied : std::uint8_t { kAll, kDead, kOwnFault, kOtherFault };
// Between memory of this process and of another one (or this one); both lists have as many bytes. An address
// that is not mapped is a fault, not a signal.
Copied write_to(Fabric& fabric, std::uint16_t process, std::span<const iovec> from,
                std::span<const iovec> to);
Copied read_from(Fabric& fabric, std::uint16_t process, std::span<const iovec> to,
                 std::span<const iovec> from);

}  // namespace emulated
