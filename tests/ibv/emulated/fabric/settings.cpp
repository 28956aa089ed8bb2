// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/settings.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "tests/ibv/emulated/fabric/layout.hpp"

namespace emulated {
namespace {

[[noreturn]] void refuse(const char* name, const char* value, const char* expected) {
  std::fprintf(stderr, "emulated verbs: EMULATED_VERBS_%s=%s: expected %s\n", name, value, expected);
  std::abort();
}

const char* text(const char* name) { return std::getenv((std::string("EMULATED_VERBS_") + name).c_str()); }

template <typename T>
void number(const char* name, T* to) {
  const char* value = text(name);
  if (value == nullptr) return;
  char* end = nullptr;
  const unsigned long long n = std::strtoull(value, &end, 0);
  if (end == value || *end != '\0' || static_cast<T>(n) != n) refuse(name, value, "a number");
  *to = static_cast<T>(n);
}

template <typename T>
struct Word {
  const char* text;
  T value;
};
template <typename T, std::size_t kWords>
void choice(const char* name, T* to, const Word<T> (&words)[kWords], const char* expected) {
  const char* value = text(name);
  if (value == nullptr) return;
  for (const Word<T>& word : words)
    if (std::strcmp(value, word.text) == 0) {
      *to = word.value;
      return;
    }
  refuse(name, value, expected);
}

// Words with commas between.
std::vector<std::string> list(const char* name) {
  std::vector<std::string> words;
  const char* value = text(name);
  if (value == nullptr) return words;
  std::istringstream all(value);
  for (std::string word; std::getline(all, word, ',');) words.push_back(word);
  return words;
}

std::uint16_t partition(const std::string& word) {
  char* end = nullptr;
  const unsigned long key = std::strtoul(word.c_str(), &end, 0);
  if (*end != '\0' || (key & kPartition) == 0 || key > 0xffff)
    refuse("PKEYS", word.c_str(), "keys, as 0x8001");
  return static_cast<std::uint16_t>(key);
}

Settings read_settings() {
  Settings s;
  if (const char* directory = text("DIR"); directory != nullptr) s.directory = directory;
  number("DEVICES", &s.devices);
  number("PORTS", &s.ports);
  s.devices = std::min(s.devices, kMaxDevices);
  s.ports = std::clamp(s.ports, 1U, kMaxPortsOfDevice);
  choice<bool>("LINK", &s.infiniband, {{"roce", false}, {"infiniband", true}}, "roce or infiniband");
  choice<ibv_mtu>("MTU", &s.mtu,
                  {{"256", IBV_MTU_256},
                   {"512", IBV_MTU_512},
                   {"1024", IBV_MTU_1024},
                   {"2048", IBV_MTU_2048},
                   {"4096", IBV_MTU_4096}},
                  "256, 512, 1024, 2048 or 4096");
  choice<ibv_atomic_cap>("ATOMIC_CAP", &s.atomics,
                         {{"none", IBV_ATOMIC_NONE}, {"hca", IBV_ATOMIC_HCA}, {"glob", IBV_ATOMIC_GLOB}},
                         "none, hca or glob");
  choice<bool>("XRC", &s.xrc, {{"no", false}, {"yes", true}}, "yes or no");
  choice<bool>("ON_DEMAND", &s.on_demand, {{"no", false}, {"yes", true}}, "yes or no");
  number("MAX_QP", &s.max_qp);
  number("MAX_QP_WR", &s.max_qp_wr);
  number("MAX_SGE", &s.max_sge);
  number("MAX_INLINE", &s.max_inline);
  number("MAX_CQ", &s.max_cq);
  number("MAX_CQE", &s.max_cqe);
  number("MAX_MR", &s.max_mr);
  number("MAX_PD", &s.max_pd);
  number("MAX_SRQ", &s.max_srq);
  number("MAX_SRQ_WR", &s.max_srq_wr);
  number("MAX_READS", &s.max_reads);
  number("MAX_MESSAGE", &s.max_message);
  if (const std::vector<std::string> keys = list("PKEYS"); !keys.empty()) {
    s.partitions.clear();
    for (const std::string& key : keys) s.partitions.push_back(partition(key));
  }
  for (const std::string& what : list("LOG")) {
    if (what != "regions" && what != "paths") refuse("LOG", what.c_str(), "regions or paths");
    (what == "regions" ? s.log_regions : s.log_paths) = true;
  }
  number("FAIL_CREATE_QP", &s.fail_create_qp);
  number("LOSE_DATAGRAMS", &s.lose_datagrams);
  number("DEFER", &s.defer);
  number("LOCKABLE", &s.lockable);
  return s;
}

}  // namespace

const Settings& settings() {
  static const Settings kept = read_settings();
  return kept;
}

}  // namespace emulated
