// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/missing_hosts.hpp"

#include <arpa/inet.h>
#include <dirent.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <vector>

#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/plan/hosts.hpp"

namespace upcrun {
namespace {

constexpr std::size_t kMaxHostsNamed = 8;              // in one message
constexpr unsigned kEstablished = 1, kListening = 10;  // states of /proc/net/tcp (the kernel's tcp_states.h)

struct Connection {
  unsigned state = 0, local_port = 0;
  std::string peer;
  unsigned long inode = 0;
};

// The inodes of the sockets that a process has open.
void add_sockets(pid_t pid, std::set<unsigned long>& inodes) {
  const std::string path = "/proc/" + std::to_string(pid) + "/fd";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    char target[64] = "";
    unsigned long inode = 0;
    if (::readlink((path + "/" + entry->d_name).c_str(), target, sizeof target - 1) > 0 &&
        std::sscanf(target, "socket:[%lu]", &inode) == 1)
      inodes.insert(inode);
  }
}

// /proc/net/tcp and tcp6 print an address as 32-bit words in the byte order of the machine.
std::string to_text(const char* digits) {
  std::uint32_t words[4] = {};
  const std::size_t count = std::strlen(digits) / 8;
  if (count != 1 && count != 4) return {};
  for (std::size_t i = 0; i < count; ++i)
    if (std::sscanf(digits + 8 * i, "%8x", &words[i]) != 1) return {};
  char text[INET6_ADDRSTRLEN] = "";
  const bool mapped = count == 4 && words[0] == 0 && words[1] == 0 && words[2] == htonl(0xffff);
  if (count == 1 || mapped)
    inet_ntop(AF_INET, &words[mapped ? 3 : 0], text, sizeof text);
  else
    inet_ntop(AF_INET6, words, text, sizeof text);
  return text;
}

void read_table(const char* path, std::vector<Connection>& all) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    char peer[33] = "";
    Connection found;
    if (std::sscanf(line.c_str(), " %*u: %*[0-9A-Fa-f]:%x %32[0-9A-Fa-f]:%*x %x %*s %*s %*s %*u %*u %lu",
                    &found.local_port, peer, &found.state, &found.inode) != 4)
      continue;
    found.peer = to_text(peer);
    all.push_back(std::move(found));
  }
}

// The remote addresses of TCP connections to ports on which a descendant of this process listens.
std::vector<std::string> connected_peers() {
  std::set<unsigned long> inodes;
  for (const ProcessId& process : descendants()) add_sockets(process.pid, inodes);
  std::vector<Connection> all;
  for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) read_table(table, all);
  std::erase_if(all, [&inodes](const Connection& c) { return inodes.count(c.inode) == 0; });
  std::set<unsigned> ports;
  for (const Connection& c : all)
    if (c.state == kListening) ports.insert(c.local_port);
  std::vector<std::string> peers;
  for (const Connection& c : all)
    if (c.state == kEstablished && ports.count(c.local_port) != 0) peers.push_back(c.peer);
  return peers;
}

// Whether an address of this host is among `peers`.
bool is_connected(const std::string& host, const std::vector<std::string>& peers) {
  if (peers.empty()) return false;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) != 0) return false;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> holder(list, ::freeaddrinfo);
  for (const addrinfo* at = list; at != nullptr; at = at->ai_next) {
    char text[NI_MAXHOST] = "";
    if (::getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0 &&
        std::find(peers.begin(), peers.end(), text) != peers.end())
      return true;
  }
  return false;
}

struct MissingHost {
  std::string name, description;
};

// The hosts that the command names from which agents are missing.
std::vector<MissingHost> find_missing_hosts(const LaunchCommand& command,
                                            const std::function<bool(unsigned rank)>& has_connected) {
  std::vector<MissingHost> hosts;
  unsigned rank = command.first;
  for (const Host& host : command.hosts) {
    unsigned missing = 0;
    for (const unsigned end = rank + host.slots; rank < end; ++rank) missing += has_connected(rank) ? 0 : 1;
    const std::string some =
        " (" + std::to_string(missing) + " of " + std::to_string(host.slots) + " processes)";
    if (missing != 0) hosts.push_back({host.name, host.name + (missing == host.slots ? "" : some)});
  }
  return hosts;
}

}  // namespace

std::string describe_missing_hosts(const LaunchCommand& command,
                                   const std::function<bool(unsigned rank)>& has_connected) {
  if (!command.host.empty()) return "host " + command.host + " has";
  std::vector<MissingHost> missing = find_missing_hosts(command, has_connected);
  if (missing.empty())  // the batch system has chosen the hosts
    return std::to_string(command.agents - command.connected) + " of " + std::to_string(command.count) +
           " processes have";
  const std::vector<std::string> peers = connected_peers();
  const auto answered = [&peers](const MissingHost& host) {
    return is_this_host(host.name) || is_connected(host.name, peers);
  };
  if (!std::all_of(missing.begin(), missing.end(), answered)) std::erase_if(missing, answered);
  std::string names;
  for (std::size_t i = 0; i < std::min(missing.size(), kMaxHostsNamed); ++i)
    names += (i != 0 ? ", " : "") + missing[i].description;
  if (missing.size() > kMaxHostsNamed)
    names += " and " + std::to_string(missing.size() - kMaxHostsNamed) + " more";
  return (missing.size() == 1 ? "host " : "hosts ") + names + (missing.size() == 1 ? " has" : " have");
}

}  // namespace upcrun
