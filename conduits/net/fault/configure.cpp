// SPDX-License-Identifier: BSD-3-Clause
// UPCR_FAULT: which faults to inject. Main thread, at start-up.
#include <charconv>
#include <string_view>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/checksum/packet_sums.hpp"
#include "conduits/net/fault/fault.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_FAULT", ConfigType::kString, nullptr,
     "debug library: injects faults into the conduit; any of "
     "delay=POLLS,reorder=SEED,refuse=EVERY,amonly,lateputs,flip=PACKET:BIT"},
};
ConfigTable table("fault", kVars);

template <typename T>
bool parse_number(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

// PACKET:BIT, packets counted from 1.
bool parse_flip(std::string_view text, FaultOptions* options) {
  const std::size_t colon = text.find(':');
  return colon != text.npos && parse_number(text.substr(0, colon), &options->flip_packet) &&
         parse_number(text.substr(colon + 1), &options->flip_bit) && options->flip_packet != 0;
}

bool parse_one(std::string_view item, FaultOptions* options) {
  const std::size_t equals = item.find('=');
  const std::string_view name = item.substr(0, equals);
  if (equals == item.npos) {
    options->am_only = options->am_only || name == "amonly";
    options->late_puts = options->late_puts || name == "lateputs";
    return name == "amonly" || name == "lateputs";
  }
  const std::string_view value = item.substr(equals + 1);
  if (name == "delay") return parse_number(value, &options->delay);
  if (name == "reorder") return parse_number(value, &options->reorder);
  if (name == "refuse") return parse_number(value, &options->refuse) && options->refuse != 1;
  if (name == "flip") return parse_flip(value, options);
  return false;
}

}  // namespace

bool FaultOptions::parse(const char* text, FaultOptions* options) {
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    if (!parse_one(rest.substr(0, comma), options)) return false;
    if (comma == rest.npos) return true;
    rest.remove_prefix(comma + 1);
  }
}

std::unique_ptr<Conduit> wrap_in_configured_faults(std::unique_ptr<Conduit> inner) {
  const char* text = config_string("UPCR_FAULT");
  if (text == nullptr) return inner;
  FaultOptions options;
  if (!FaultOptions::parse(text, &options))
    fatal(
        "UPCR_FAULT=%s: expected any of delay=POLLS, reorder=SEED, refuse=EVERY (2 or more), amonly, "
        "lateputs and flip=PACKET:BIT (packets from 1), separated by commas",
        text);
  if (options.flip_packet != 0) schedule_packet_flip(options.flip_packet - 1, options.flip_bit);
  return wrap_in_faults(std::move(inner), options);
}

}  // namespace upcr
