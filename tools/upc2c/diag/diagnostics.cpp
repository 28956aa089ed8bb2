// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/diag/diagnostics.hpp"

namespace upc2c {

Diagnostic& Diagnostic::label(const Mark& at, std::string what) {
  labels.push_back({at, std::move(what)});
  return *this;
}

Diagnostic& Diagnostic::note(const Mark& at, std::string what) {
  notes.push_back({at, std::move(what)});
  return *this;
}

std::string substitute(std::string_view pattern, std::initializer_list<std::string_view> arguments) {
  std::string out;
  const auto* next = arguments.begin();
  for (const char c : pattern) {
    if (c == '%' && next != arguments.end())
      out += *next++;
    else
      out += c;
  }
  return out;
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

bool Diagnostics::set_option(std::string_view option) {
  if (!option.starts_with("-W")) return false;
  option.remove_prefix(2);
  const bool no = option.starts_with("no-");
  if (no) option.remove_prefix(3);
  const bool error = option.starts_with("error=");
  if (error) option.remove_prefix(6);
  if (!is_group(option)) return false;
  Setting& setting = settings_[std::string(option)];
  if (error && no) {
    setting.error = false;
    setting.no_error = true;
  } else if (error) {
    setting.error = setting.enabled = true;
    setting.no_error = setting.ignored = false;
  } else {
    setting.ignored = no;
    setting.enabled = !no;
  }
  return true;
}

Severity Diagnostics::severity(Diag diag) const {
  const DiagInfo& row = info(diag);
  if (row.severity == Severity::kRemark) return remarks_ ? Severity::kRemark : Severity::kIgnored;
  if (row.group.empty()) return row.severity;
  const auto found = settings_.find(row.group);
  const Setting setting = found == settings_.end() ? Setting{} : found->second;
  Severity severity = row.severity;
  if (setting.ignored) return Severity::kIgnored;
  if (setting.enabled && severity == Severity::kIgnored) severity = Severity::kWarning;
  if (severity == Severity::kIgnored) return severity;
  if (setting.no_error) severity = Severity::kWarning;
  if (setting.error || (werror_ && !setting.no_error)) return Severity::kError;
  return severity == Severity::kWarning && quiet_ ? Severity::kIgnored : severity;
}

Diagnostic& Diagnostics::dropped() {
  dropped_.labels.clear();
  dropped_.notes.clear();
  return dropped_;
}

Diagnostic& Diagnostics::report(Diag diag, const Mark& at, std::string_view pattern,
                                std::initializer_list<std::string_view> arguments) {
  const Severity severity = this->severity(diag);
  const std::uint64_t key = std::uint64_t{at.caret} << 8 | static_cast<std::uint64_t>(diag);
  if (severity == Severity::kIgnored || !seen_.insert(key).second) return dropped();
  if (severity == Severity::kError) errors_++;
  all_.push_back({diag, severity, at, substitute(pattern, arguments), {}, {}});
  return all_.back();
}

}  // namespace upc2c
