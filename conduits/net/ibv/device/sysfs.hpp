// SPDX-License-Identifier: BSD-3-Clause
// What the kernel tells about a device in files. Main thread, at attach.
#pragma once
#include <infiniband/verbs.h>

#include <string>

namespace upcr::ibv {

// The first line of a file; empty when there is none.
std::string read_line(const std::string& path);

// Is the device made by the kernel (rxe, siw)? They have no device of a bus behind them, or only their
// network interface's; so the numbers count by which they call themselves.
bool is_software(const std::string& device, const ibv_device_attr& attributes);
// Does this kernel's memcpy, by which software devices move data, go by bytes ("rep movsb")? Then it may tear
// words that another processor is looking at.
bool kernel_copies_bytes();

}  // namespace upcr::ibv
