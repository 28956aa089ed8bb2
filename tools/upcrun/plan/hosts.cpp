// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/plan/hosts.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <numeric>
#include <sstream>

#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/unique_fd.hpp"

namespace upcrun {
namespace {

constexpr int kWrongUse = 2;
constexpr unsigned kMaxSlots = 1 << 20;
constexpr std::size_t kRead = 64 * 1024;
constexpr std::size_t kMaxHostfileBytes = 64 << 20;  // of a hostfile

unsigned slots_from(const std::string& text, const std::string& where) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > kMaxSlots)
    throw Failure{kWrongUse, where + ": '" + text + "' is not a number of processes; expected 1 to " +
                                 std::to_string(kMaxSlots)};
  return value;
}

// A name becomes part of the command lines of mpirun and ssh.
void check_name(const std::string& name, const std::string& where) {
  const bool strange = std::any_of(name.begin(), name.end(), [](unsigned char c) {
    return c <= ' ' || c == 0x7f ||
           std::string_view("'\"`$&;|<>(){}*?\\!,=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (name.empty() || name[0] == '-' || strange)
    throw Failure{kWrongUse, where + ": '" + name + "' is not a host name"};
}

// Parses "name", "name:2", "[address]:2", or an IPv6 address, which has more than one colon.
Host parse_host(const std::string& word, const std::string& where) {
  Host host{word, 0};
  std::string rest;
  if (word.starts_with('[')) {
    const std::size_t end = word.find(']');
    if (end == word.npos) throw Failure{kWrongUse, where + ": '" + word + "' has no closing bracket"};
    host.name = word.substr(1, end - 1);
    rest = word.substr(end + 1);
  } else if (std::count(word.begin(), word.end(), ':') == 1) {
    const std::size_t colon = word.find(':');
    host.name = word.substr(0, colon);
    rest = word.substr(colon);
  }
  check_name(host.name, where);
  if (rest.empty()) return host;
  if (rest[0] != ':')
    throw Failure{kWrongUse, where + ": '" + word + "' is neither a host nor host:processes"};
  host.slots = slots_from(rest.substr(1), where);
  return host;
}

// The whole file, which may be a pipe. Throws Failure unless it is text of limited size.
std::string read_text_file(const std::string& path, const std::string& source) {
  const auto refuse = [&](const std::string& why) -> Failure {
    return {kWrongUse, source + " " + path + ": " + why};
  };
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about {};
  if (!file || ::fstat(file.get(), &about) != 0)
    throw refuse(std::string("cannot be read: ") + std::strerror(errno));
  if (S_ISDIR(about.st_mode)) throw refuse("is a directory; name a file with lines `name [slots=N]`");
  std::string text;
  std::vector<char> buffer(kRead);
  for (ssize_t got; (got = ::read(file.get(), buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw refuse(std::string("cannot be read: ") + std::strerror(errno));
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.find('\0', text.size() - static_cast<std::size_t>(got)) != text.npos)
      throw refuse("is not a text file; name a file with lines `name [slots=N]`");
    if (text.size() > kMaxHostfileBytes)
      throw refuse("has more than " + std::to_string(kMaxHostfileBytes >> 20) +
                   " MiB; name a file with lines `name [slots=N]`");
  }
  return text;
}

// -N: equal shares on the first hosts; -c: so many processes on each.
void restrict(std::vector<Host>& hosts, const Options& options) {
  if (options.host_count > hosts.size())
    throw Failure{kWrongUse, "-N " + std::to_string(options.host_count) + ": there are only " +
                                 std::to_string(hosts.size()) + " hosts"};
  if (options.host_count != 0) hosts.resize(options.host_count);
  if (options.host_count != 0 || options.host_slots != 0)
    for (Host& host : hosts) host.slots = options.host_slots;
}

}  // namespace

std::vector<Host> parse_host_list(const std::string& text, const std::string& source) {
  const std::string where = source + " " + text;
  std::vector<Host> hosts;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) add_host(hosts, parse_host(word, where));
  if (hosts.empty() || text.ends_with(',')) throw Failure{kWrongUse, where + ": a host name is missing"};
  return hosts;
}

std::vector<Host> read_hostfile(const std::string& path, const std::string& source) {
  std::istringstream file(read_text_file(path, source));
  std::vector<Host> hosts;
  unsigned number = 0;
  for (std::string line; std::getline(file, line);) {
    const std::string where = path + ":" + std::to_string(++number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    if (!(words >> name)) continue;
    Host host = parse_host(name, where);
    for (std::string word; words >> word;) {
      constexpr std::string_view kSlots = "slots=";
      if (!word.starts_with(kSlots))
        throw Failure{kWrongUse, where + ": '" + word + "': expected slots=N after the host's name"};
      host.slots = slots_from(word.substr(kSlots.size()), where);
    }
    add_host(hosts, host);
  }
  if (hosts.empty()) throw Failure{kWrongUse, source + " " + path + ": names no host"};
  return hosts;
}

std::vector<Host> deal(std::vector<Host> hosts, unsigned processes) {
  const bool limited = std::any_of(hosts.begin(), hosts.end(), [](const Host& h) { return h.slots != 0; });
  unsigned rest = processes;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const unsigned left = static_cast<unsigned>(hosts.size() - i);
    hosts[i].slots = limited ? std::min(rest, std::max(hosts[i].slots, 1u)) : (rest + left - 1) / left;
    rest -= hosts[i].slots;
  }
  if (rest != 0)
    throw Failure{kWrongUse, std::to_string(processes) + " processes, but the hosts have " +
                                 std::to_string(processes - rest) +
                                 " slots (one where no number is given); give more as HOST:N, or lower -n"};
  std::erase_if(hosts, [](const Host& h) { return h.slots == 0; });
  return hosts;
}

std::vector<Host> named_hosts(const Options& options, unsigned processes) {
  if (!options.hosts.empty() && !options.hostfile.empty())
    throw Failure{kWrongUse, "-H and --hostfile both name the hosts; use one of them"};
  std::vector<Host> hosts;
  if (!options.hosts.empty()) hosts = parse_host_list(options.hosts, options.hosts_from);
  if (!options.hostfile.empty()) hosts = read_hostfile(options.hostfile, options.hostfile_from);
  if (!hosts.empty()) restrict(hosts, options);
  return hosts.empty() ? hosts : deal(std::move(hosts), processes);
}

std::vector<Host> allocated_hosts(const Options& options, unsigned processes) {
  std::vector<Host> hosts = options.allocation.hosts;
  if (options.local_only || hosts.empty()) return {};
  restrict(hosts, options);
  const unsigned slots = std::accumulate(hosts.begin(), hosts.end(), 0u,
                                         [](unsigned sum, const Host& h) { return sum + h.slots; });
  if (slots < processes && options.host_slots == 0)
    for (Host& host : hosts) host.slots = 0;
  return deal(std::move(hosts), processes);
}

bool is_this_host(const std::string& name) {
  char own[256] = "";
  (void)::gethostname(own, sizeof own - 1);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1" || same_host_name(name, own)) return true;
  if (!to_socket_address(name, 0)) return false;  // no address
  const std::vector<std::string> addresses = own_addresses({});
  return std::find(addresses.begin(), addresses.end(), name) != addresses.end();
}

bool all_on_this_host(const std::vector<Host>& hosts) {
  return !hosts.empty() &&
         std::all_of(hosts.begin(), hosts.end(), [](const Host& host) { return is_this_host(host.name); });
}

}  // namespace upcrun
