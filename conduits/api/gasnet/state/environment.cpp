// SPDX-License-Identifier: BSD-3-Clause
// The job's environment: copied once, changed by this process only.
#include "conduits/api/gasnet/state/environment.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr::gasnet {
namespace {

// Names and values; values are never freed, callers keep pointers. Under `mutex`.
struct Environment {
  std::mutex mutex;
  bool taken = false;
  std::unordered_map<std::string, char*> job;  // null: removed by this process
};
Environment& environment() {
  static Environment* const the = new Environment;
  return *the;
}

// "NAME=value\0NAME=value\0".
std::string own_environment() {
  std::string all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    all.append(*entry).push_back('\0');
  return all;
}

std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace

void take_environment(Bootstrap& bootstrap) {
  std::string text = own_environment();
  const std::uint64_t mine = hash(text);
  std::vector<std::uint64_t> hashes(bootstrap.size());
  bootstrap.allgather(&mine, sizeof mine, hashes.data());
  bool same = true;
  for (const std::uint64_t h : hashes) same &= h == mine;
  // All ranks come to the same result: the hashes are the same for all, or they are not.
  if (!same) text = bootstrap.broadcast(0, text);
  Environment& e = environment();
  const std::lock_guard<std::mutex> guard(e.mutex);
  for (std::size_t at = 0; at < text.size(); at += std::strlen(text.c_str() + at) + 1) {
    const char* entry = text.c_str() + at;
    const char* equals = std::strchr(entry, '=');
    if (equals != nullptr) e.job.emplace(std::string(entry, equals), ::strdup(equals + 1));
  }
  e.taken = true;
}

char* job_getenv(const char* name) {
  if (name == nullptr) return nullptr;
  Environment& e = environment();
  const std::lock_guard<std::mutex> guard(e.mutex);
  if (e.taken) {
    const auto found = e.job.find(name);
    if (found != e.job.end() && found->second != nullptr) return found->second;
  }
  return std::getenv(name);
}

void set_environment(const char* name, const char* value) {
  Environment& e = environment();
  const std::lock_guard<std::mutex> guard(e.mutex);
  if (e.taken) e.job[name] = value != nullptr ? ::strdup(value) : nullptr;
}

}  // namespace upcr::gasnet
