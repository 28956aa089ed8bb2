// SPDX-License-Identifier: BSD-3-Clause
// The tables of environment variables, the snapshot of the environment that values come from, and the
// validation of what the user has set. Set-up time only.
#include "conduits/core/base/config/config.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/config/edit_distance.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/common_config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/base/report/report_state.hpp"
#include "conduits/core/base/system/privileges.hpp"
#include "conduits/core/base/system/spinlock.hpp"

namespace upcr {
namespace {

// Constant-initialised: tables of other translation units register during static initialisation. A table
// lives as long as the process.
constinit std::atomic<const ConfigTable*> first_table{nullptr};

// The environment at configure(), "NAME=value" each. Older snapshots are kept: config_string() has returned
// pointers into them.
struct Snapshot {
  std::vector<std::string> entries;
  const Snapshot* older;
};
constinit std::atomic<const Snapshot*> snapshot{nullptr};

// Seconds that a process waits for the job's first one to report a mistake that all of them find.
constexpr unsigned kReportSeconds = 5;

void take_snapshot() {
  auto* fresh = new Snapshot{{}, snapshot.load(std::memory_order_relaxed)};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    fresh->entries.emplace_back(*entry);
  snapshot.store(fresh, std::memory_order_release);
}

const char* from_environment(const char* name) noexcept {
  if (name == nullptr) return nullptr;
  const char* value = nullptr;
  if (const Snapshot* s = snapshot.load(std::memory_order_acquire)) {
    const std::size_t n = std::strlen(name);
    for (const std::string& entry : s->entries)
      if (entry.size() > n && entry[n] == '=' && entry.compare(0, n, name) == 0)
        value = entry.c_str() + n + 1;
  } else {
    value = std::getenv(name);
  }
  return value != nullptr && *value != '\0' ? value : nullptr;  // NAME= is the same as not set
}

template <typename Visit>
void for_each_var(Visit&& visit) {
  for (const ConfigTable* table = ConfigTable::first(); table != nullptr; table = table->next())
    for (const ConfigVar& var : table->vars()) visit(var);
}

const ConfigVar& find(const char* name) {
  const ConfigVar* found = nullptr;
  for_each_var([&](const ConfigVar& var) {
    if (std::strcmp(var.name, name) == 0) found = &var;
  });
  if (found == nullptr) fatal("internal error: the variable %s is in no configuration table", name);
  return *found;
}

// "UPCR_X=maybe: expected yes or no", or empty when the value is right.
std::string mistake_in(const ConfigVar& var) {
  const char* value = config_value(var);
  std::string expected;
  if (value == nullptr || valid_value(var, value, &expected)) return {};
  const char* name = value == from_environment(var.name) ? var.name : var.alias;
  return std::string(name) + "=" + value + ": expected " + expected;
}

std::string first_mistake() {
  std::string first = log_level_error();
  for_each_var([&](const ConfigVar& var) {
    if (first.empty()) first = mistake_in(var);
  });
  return first;
}

// A string that lives as long as the process; one copy of each.
const char* intern(std::string_view text) {
  struct Interned {
    std::string text;
    const Interned* next;
  };
  static constinit SpinLock lock;
  static constinit const Interned* all = nullptr;
  std::lock_guard guard(lock);
  for (const Interned* i = all; i != nullptr; i = i->next)
    if (i->text == text) return i->text.c_str();
  all = new Interned{std::string(text), all};
  return all->text.c_str();
}

// The variable's text (the user's or the fallback), known to be valid, or nullptr.
const char* text_of(const char* name, ConfigType type, const ConfigVar** var) {
  *var = &find(name);
  const bool string_like = ((*var)->type == ConfigType::kChoice || (*var)->type == ConfigType::kCode) &&
                           type == ConfigType::kString;
  if ((*var)->type != type && !string_like) fatal("internal error: the variable %s is of another type", name);
  const std::string mistake = mistake_in(**var);  // for callers before check_config()
  if (!mistake.empty()) fatal_setting("%s", mistake.c_str());
  const char* value = config_value(**var);
  return value != nullptr ? value : (*var)->fallback;
}

bool is_declared(std::string_view name) {
  bool declared = false;
  for_each_var([&](const ConfigVar& var) {
    declared |= name == var.name || (var.alias != nullptr && name == var.alias);
  });
  return declared;
}

// The declared name that is most similar to `name`, or nullptr when none is similar.
const char* most_similar(std::string_view name) {
  MostSimilar<const char*> similar(name, std::max<std::size_t>(2, (name.size() - 5) / 4));  // 5: "UPCR_"
  for_each_var([&](const ConfigVar& var) {
    if (var.help == nullptr) return;
    similar.consider(var.name, var.name);
    if (var.alias != nullptr) similar.consider(var.alias, var.alias);
  });
  return similar.found();
}

void warn_about_unknown_names() {
  const Snapshot* s = snapshot.load(std::memory_order_acquire);
  if (s == nullptr) return;
  const bool upc = client_api().declares_upc_variables;
  for (const std::string& entry : s->entries) {
    const std::string name = entry.substr(0, entry.find('='));
    const bool own = upc && name.starts_with("UPCR_");
    // Programs and other tools have variables with these prefixes, too.
    const bool shared = (upc && name.starts_with("UPC_")) || name.starts_with("GASNET_");
    if ((!own && !shared) || is_declared(name)) continue;
    if (const char* similar = most_similar(name))
      warn("unknown %s, did you mean %s?", name.c_str(), similar);
    else if (own)
      warn("unknown %s; 'upcr_info -c' prints the variables", name.c_str());
  }
}

void warn_about_ignored_names() {
  if (!has_privileges()) return;
  for_each_var([](const ConfigVar& var) {
    if (var.type == ConfigType::kCode && from_environment(var.name) != nullptr)
      warn("%s is ignored: the program has privileges that its user lacks (setuid, setgid or capabilities)",
           var.name);
  });
}

}  // namespace

ConfigTable::ConfigTable(const char* component, std::span<const ConfigVar> vars)
    : component_(component), vars_(vars), next_(first_table.load(std::memory_order_relaxed)) {
  first_table.store(this, std::memory_order_release);
}

const ConfigTable* ConfigTable::first() noexcept { return first_table.load(std::memory_order_acquire); }

void configure() {
  take_snapshot();
  set_common_config();
  configure_log(config_string("UPCR_LOG_LEVEL"));
  load_unwinder();
}

void check_config(bool reports) {
  const std::string mistake = first_mistake();
  if (!mistake.empty()) {
    if (!reports) sleep(kReportSeconds);
    fatal_setting("%s", mistake.c_str());
  }
  if (!reports) return;
  warn_about_ignored_names();
  warn_about_unknown_names();
  warn_about_unknown_components();
}

const char* config_value(const ConfigVar& var) noexcept {
  if (var.type == ConfigType::kCode && has_privileges()) return nullptr;
  const char* value = from_environment(var.name);
  return value != nullptr ? value : from_environment(var.alias);
}

bool config_bool(const char* name) {
  const ConfigVar* var = nullptr;
  const char* text = text_of(name, ConfigType::kBool, &var);
  bool value = false;
  return text != nullptr && parse_bool(text, &value) && value;
}

std::int64_t config_int(const char* name) {
  const ConfigVar* var = nullptr;
  const char* text = text_of(name, ConfigType::kInt, &var);
  std::int64_t value = 0;
  return text != nullptr && parse_int(text, &value) ? value : 0;
}

std::uint64_t config_size(const char* name) {
  const ConfigVar* var = &find(name);
  const bool megabytes = var->type == ConfigType::kMegabytes;
  const char* text = text_of(name, megabytes ? var->type : ConfigType::kSize, &var);
  std::uint64_t value = 0;
  return text != nullptr && (megabytes ? parse_megabytes : parse_size)(text, &value) ? value : 0;
}

const char* config_string(const char* name) {
  const ConfigVar* var = nullptr;
  const char* text = text_of(name, ConfigType::kString, &var);
  // As the table spells it: callers compare.
  return text != nullptr && var->type == ConfigType::kChoice ? intern(find_choice(var->choices, text)) : text;
}

bool config_is_set(const char* name) { return config_value(find(name)) != nullptr; }

}  // namespace upcr
