// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/protocol/hello.hpp"

#include <sys/random.h>

#include <charconv>
#include <cstdlib>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

constexpr char kSeparator = ';';
constexpr std::size_t kTokenDigits = 16, kSecretDigits = 32;

std::string random_digits(std::size_t count) {
  std::string digits;
  while (digits.size() < count) {
    unsigned char byte = 0;
    if (::getrandom(&byte, 1, 0) != 1) throw Failure{1, "the system has no random numbers (getrandom)"};
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

bool hexadecimal(std::string_view text, std::size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(kSeparator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int number_from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  const std::optional<int> value = text != nullptr ? number(text) : std::nullopt;
  return value && *value >= 0 ? *value : otherwise;
}

}  // namespace

std::string agent_line(unsigned first, unsigned count, const std::string& rendezvous) {
  return std::to_string(first) + " " + std::to_string(count) + " " + rendezvous + "\n";
}

Credentials Credentials::make() { return {random_digits(kTokenDigits), random_digits(kSecretDigits)}; }

std::string Rendezvous::format() const {
  std::string text = "1;" + credentials.job_token + ";" + credentials.secret + ";" + std::to_string(port);
  for (const std::string& address : addresses) text += kSeparator + address;
  return text;
}

std::optional<Rendezvous> Rendezvous::parse(std::string_view text) {
  const auto parts = split(text);
  if (parts.size() < 5 || parts[0] != "1") return std::nullopt;
  const std::optional<int> port = number(parts[3]);
  if (!hexadecimal(parts[1], kTokenDigits) || !hexadecimal(parts[2], kSecretDigits) || !port || *port < 1 ||
      *port > 65535)
    return std::nullopt;
  Rendezvous found{{std::string(parts[1]), std::string(parts[2])}, static_cast<unsigned>(*port), {}};
  for (std::size_t i = 4; i < parts.size(); ++i) {
    if (parts[i].empty()) return std::nullopt;
    found.addresses.emplace_back(parts[i]);
  }
  return found;
}

std::string Hello::format() const {
  return "upcr;" + std::to_string(version) + ";" + secret + ";" + std::to_string(rank) + ";" +
         std::to_string(size) + ";" + std::to_string(pid) + ";" + host;
}

std::optional<Hello> Hello::parse(std::string_view text) {
  const auto parts = split(text);
  if (text.size() > kMaxHelloBytes || parts.size() != 7 || parts[0] != "upcr") return std::nullopt;
  const auto version = number(parts[1]), rank = number(parts[3]), size = number(parts[4]),
             pid = number(parts[5]);
  if (!version || !rank || !size || !pid) return std::nullopt;
  return Hello{*version, std::string(parts[2]), *rank, *size, *pid, std::string(parts[6])};
}

bool same_secret(std::string_view expected, std::string_view received) noexcept {
  unsigned difference = expected.size() == received.size() ? 0 : 1;
  for (std::size_t i = 0; i < expected.size(); ++i)
    difference |= static_cast<unsigned char>(expected[i]) ^
                  static_cast<unsigned char>(i < received.size() ? received[i] : 0);
  return difference == 0;
}

LauncherVariables read_launcher_variables() {
  struct Names {
    const char *rank, *size, *host_rank, *host_size;
  };
  // The most specific ones first: under srun, processes of Open MPI and MPICH have Slurm's variables beside
  // PMI's.
  constexpr Names kLaunchers[] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
       "OMPI_COMM_WORLD_LOCAL_SIZE"},
      {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
      {"PMIX_RANK", "", "", ""},
      {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", ""},
  };
  LauncherVariables place;
  for (const Names& names : kLaunchers) {
    place.rank = number_from_environment(names.rank, -1);
    if (place.rank < 0) continue;
    place.rank_variable = names.rank;
    place.size = number_from_environment(names.size, -1);
    place.host_rank = number_from_environment(names.host_rank, 0);
    place.host_size = number_from_environment(names.host_size, 1);
    if (place.host_size < 1 || place.host_rank >= place.host_size) place.host_rank = 0, place.host_size = 1;
    return place;
  }
  return place;
}

}  // namespace upcrun
