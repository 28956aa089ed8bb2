// SPDX-License-Identifier: BSD-3-Clause
// Prints the configuration tables: for `upcr_info -c`, and for docs/reference/environment.md, which depends
// on the tables alone.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr {
namespace {

// By component, then by the first variable's name: the linker decides the order of registration.
std::vector<const ConfigTable*> sorted_tables() {
  std::vector<const ConfigTable*> tables;
  for (const ConfigTable* t = ConfigTable::first(); t != nullptr; t = t->next())
    if (!t->vars().empty()) tables.push_back(t);
  std::sort(tables.begin(), tables.end(), [](const ConfigTable* a, const ConfigTable* b) {
    const int order = std::strcmp(a->component(), b->component());
    return order != 0 ? order < 0 : std::strcmp(a->vars()[0].name, b->vars()[0].name) < 0;
  });
  return tables;
}

// "am, job, rma": for UPCR_LOG_LEVEL.
std::string log_components() {
  std::set<std::string> names;
  for (const LogComponent* c = LogComponent::first(); c != nullptr; c = c->next()) names.insert(c->name());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void print_text(const ConfigVar& var) {
  const char* value = config_value(var);
  std::string expected;
  std::printf("  %s = %s", var.name,
              value != nullptr          ? value
              : var.fallback != nullptr ? var.fallback
                                        : "(unset)");
  if (value != nullptr) {
    std::printf("   [set; default %s]", var.fallback != nullptr ? var.fallback : "unset");
    if (!valid_value(var, value, &expected)) std::printf("   [WRONG: expected %s]", expected.c_str());
  }
  std::printf("\n      %s (%s)", var.help, describe_values(var).c_str());
  if (var.alias != nullptr) std::printf(", also %s", var.alias);
  std::printf("\n");
}

void print_markdown(const ConfigVar& var) {
  std::printf("| `%s`", var.name);
  if (var.alias != nullptr) std::printf("<br>`%s`", var.alias);
  std::printf(" | %s | ", describe_values(var).c_str());
  if (var.fallback != nullptr)
    std::printf("`%s`", var.fallback);
  else
    std::printf("unset");
  std::printf(" | %s |\n", var.help);
}

constexpr const char* kMarkdownHead =
    R"(<!-- Generated from the configuration tables by the build target environment-md: do not edit. -->
# Environment variables

Every variable that the library reads, by component. `upcr_info -c` prints the same with the values that the
environment has now. A wrong value ends the job at start-up with a message that says what was expected, and an
unknown `UPCR_` name draws a warning. A variable that is set to nothing counts as not set. Two names in one row
mean the same; where both are set the first one counts.

A size is a whole number of bytes, or a whole number followed by `K`, `M`, `G`, `T` or `KB`, `MB`, `GB`, `TB`
(powers of 1024, in either case) or `B`. Yes may be written `yes`, `y`, `true`, `on` or `1`, no likewise. A path or command,
which says what is loaded or run, is ignored in programs with privileges that their user lacks (setuid, setgid,
capabilities).
)";

}  // namespace

void print_config(ConfigFormat format) {
  const bool markdown = format == ConfigFormat::kMarkdown;
  if (markdown) std::fputs(kMarkdownHead, stdout);
  std::string component;
  for (const ConfigTable* table : sorted_tables()) {
    if (component != table->component()) {
      const bool first = component.empty();
      component = table->component();
      if (markdown)
        std::printf("\n## %s\n| variable | value | default | meaning |\n|---|---|---|---|\n",
                    component.c_str());
      else
        std::printf("%s%s\n", first ? "" : "\n", component.c_str());
    }
    for (const ConfigVar& var : table->vars())
      if (var.help != nullptr) markdown ? print_markdown(var) : print_text(var);
  }
  std::printf(
      markdown ? "\nThe components of `UPCR_LOG_LEVEL`: %s.\n" : "\ncomponents of UPCR_LOG_LEVEL\n  %s\n",
      log_components().c_str());
}

}  // namespace upcr
