// SPDX-License-Identifier: BSD-3-Clause
// See dependencies.hpp.
#include "tools/upcc/compile/dependencies.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/upcc/base/temp_dir.hpp"

namespace upcc {
namespace {

std::string for_make(const std::string& path) {
  std::string out;
  for (char c : path) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

MakeRule rule_of_source(const std::string& source) {
  const std::string stem = std::filesystem::path(source).stem().string();
  return {stem + ".d", stem + ".o"};
}

MakeRule rule_for(const Options& options, const std::string& source, const std::string& object) {
  switch (options.stage) {
    case Stage::kCompile:
    case Stage::kAssemble:
      return {std::filesystem::path(object).replace_extension(".d").string(), object};
    case Stage::kLink:
      return rule_in_link(options, source);
    default:
      return rule_of_source(source);
  }
}

}  // namespace

MakeRule rule_in_link(const Options& options, const std::string& source) {
  MakeRule own = rule_of_source(source);
  if (options.output.empty()) return own;
  const auto sources = std::count_if(options.inputs.begin(), options.inputs.end(),
                                     [](const Input& input) { return input.is_source(); });
  // Others write one file for several sources, with the rule of the last one.
  if (sources > 1) return {own.file, options.output};
  return {std::filesystem::path(options.output).replace_extension(".d").string(), options.output};
}

Dependencies::Dependencies(const Options& options, const std::string& source, const std::string& copy,
                           const std::string& object)
    : source_(source),
      copy_(copy),
      wanted_(options.writes_dependencies || options.stage == Stage::kDependencies),
      has_target_(options.has_dependency_target) {
  const MakeRule rule = rule_for(options, source, object);
  target_ = rule.target;
  if (!wanted_) return;
  written_ = temp_file("dependencies");
  destination_ = options.dependency_file;
  if (!destination_.empty()) return;
  destination_ = options.stage == Stage::kDependencies ? options.output : rule.file;
}

Arguments Dependencies::arguments() const {
  if (!wanted_) return {};
  Arguments arguments = {"-MF", written_};
  if (!has_target_) arguments.insert(arguments.end(), {"-MQ", target_});
  return arguments;
}

void Dependencies::finish() const {
  if (!wanted_ || !command_mode.run) return;
  std::ifstream file(written_);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string before = for_make(copy_), after = for_make(source_);
  for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += after.size())
    text.replace(at, before.size(), after);
  if (destination_.empty() || destination_ == "-") {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::ofstream out(destination_);
  out << text;
  if (!out.flush()) fatal("cannot write " + destination_);
}

}  // namespace upcc
