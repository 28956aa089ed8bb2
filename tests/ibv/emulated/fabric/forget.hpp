// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include <cstdint>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

// Gives back everything in the fabric that belongs to a process that has died. Under the mutex. In
// objects/forget.cpp, which knows all of them.
void forget_objects(Fabric& fabric, std::uint16_t process);

}  // namespace emulated
