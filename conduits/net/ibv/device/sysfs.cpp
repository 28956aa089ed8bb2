// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/device/sysfs.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>

namespace upcr::ibv {
namespace {

constexpr std::uint32_t kVendorRxe = 0xffffff, kVendorSiw = 0x626d74;

}  // namespace

std::string read_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

bool is_software(const std::string& device, const ibv_device_attr& attributes) {
  if (attributes.vendor_id == kVendorRxe || attributes.vendor_id == kVendorSiw) return true;
  return ::access(("/sys/class/infiniband/" + device + "/device").c_str(), F_OK) != 0;
}

bool kernel_copies_bytes() {
#if defined(__x86_64__)
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("flags", 0) != 0) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (word == "erms" || word == "rep_good") return true;
    return false;
  }
  return true;  // not known
#else
  return false;
#endif
}

}  // namespace upcr::ibv
