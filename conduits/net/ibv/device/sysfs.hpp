// SPDX-License-Identifier: BSD-3-Clause
// Facts about a device from the kernel's files. Main thread, at attach.
#pragma once
#include <infiniband/verbs.h>

#include <string>

namespace upcr::ibv {

// The first line of a file; empty when there is none.
std::string read_line(const std::string& path);

// Is the device emulated by the kernel (rxe, siw)? Such a device has no bus device behind it, or only that of
// its network interface; so the vendor numbers count that it reports.
bool is_software(const std::string& device, const ibv_device_attr& attributes);
// Does this kernel's memcpy, by which software devices move data, copy bytewise ("rep movsb")? Then it may
// tear words that another processor reads.
bool kernel_copies_bytes();

}  // namespace upcr::ibv
