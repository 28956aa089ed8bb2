// SPDX-License-Identifier: BSD-3-Clause
// Each field ends with a zero byte.
#include "tools/upcrun/protocol/launcher_report.hpp"

#include <cstdlib>

namespace upcrun {

std::string LauncherReport::format() const {
  std::string text;
  for (const std::string& field :
       {name, host, relay, std::to_string(processes), std::to_string(port), exit, explanation, output}) {
    text += field.substr(0, field.find('\0'));
    text += '\0';
  }
  return text;
}

LauncherReport LauncherReport::parse(std::string_view text) {
  const auto next = [&text] {
    const std::size_t end = text.find('\0');
    std::string field(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return field;
  };
  LauncherReport report;
  report.name = next();
  report.host = next();
  report.relay = next();
  report.processes = static_cast<unsigned>(std::strtoul(next().c_str(), nullptr, 10));
  report.port = static_cast<unsigned>(std::strtoul(next().c_str(), nullptr, 10));
  report.exit = next();
  report.explanation = next();
  report.output = next();
  return report;
}

}  // namespace upcrun
