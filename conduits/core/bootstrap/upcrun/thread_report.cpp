// SPDX-License-Identifier: BSD-3-Clause
// Fields are separated by tabs; the arguments of a collective are pairs of fields at the end.
#include "conduits/core/bootstrap/upcrun/thread_report.hpp"

#include <charconv>
#include <cstring>
#include <system_error>

namespace upcr {
namespace {

void add(std::string& line, std::string_view text) {
  for (const char c : text) line += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  line += '\t';
}
void add(std::string& line, std::uint64_t number) { add(line, std::to_string(number)); }

// Reads fields one after the other; failed() after one that is missing or malformed.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  std::string_view text() {
    const std::size_t end = rest_.find('\t');
    if (end == std::string_view::npos) {
      failed_ = true;
      return {};
    }
    const std::string_view field = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return field;
  }
  template <typename Number>
  void read(Number& number) {
    const std::string_view field = text();
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size()) failed_ = true;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::string ThreadReport::format() const {
  std::string text;
  add(text, std::string_view(reinterpret_cast<const char*>(&activity), 1));
  add(text, thread);
  add(text, peer);
  add(text, lock);
  add(text, waited_ms);
  add(text, what);
  add(text, file);
  add(text, std::to_string(line));
  add(text, barriers);
  add(text, barrier_name);
  add(text, function);
  add(text, team);
  add(text, call);
  for (const Argument& argument : arguments) {
    add(text, argument.name);
    add(text, argument.value);
  }
  text += '\n';
  return text;
}

std::optional<ThreadReport> ThreadReport::parse(std::string_view line) {
  ThreadReport report;
  Fields fields(line);
  const std::string_view activity = fields.text();
  if (activity.size() != 1 || std::strchr("cblagwe", activity[0]) == nullptr) return std::nullopt;
  report.activity = static_cast<Activity>(activity[0]);
  fields.read(report.thread);
  fields.read(report.peer);
  fields.read(report.lock);
  fields.read(report.waited_ms);
  report.what = fields.text();
  report.file = fields.text();
  fields.read(report.line);
  fields.read(report.barriers);
  report.barrier_name = fields.text();
  report.function = fields.text();
  fields.read(report.team);
  fields.read(report.call);
  while (!fields.failed() && !fields.at_end()) {
    Argument argument;
    argument.name = fields.text();
    fields.read(argument.value);
    report.arguments.push_back(argument);
  }
  if (fields.failed()) return std::nullopt;
  return report;
}

}  // namespace upcr
