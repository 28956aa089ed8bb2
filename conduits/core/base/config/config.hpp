// SPDX-License-Identifier: BSD-3-Clause
// Environment variables. Each component declares its own in one table next to the code that reads them:
//
//   static const ConfigVar kVars[] = {
//       {"UPC_SHARED_HEAP_SIZE", ConfigType::kSize, "64MB", "shared memory of each UPC thread"},
//   };
//   static ConfigTable table("heap", kVars);
//   ...
//   std::uint64_t bytes = config_size("UPC_SHARED_HEAP_SIZE");
//
// `upcr_info -c`, docs/reference/environment.md, validation and the "did you mean" warning use the tables.
// Values are those of the environment at configure(), also after a later setenv(). An empty variable (NAME=)
// counts as not set.
// A conduit that is a module keeps its table in a file of its folder that is linked into the library, so
// that the documentation and the checks include it where the module is not built.
// Set-up time only; not for the data path. Any thread after configure().
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "conduits/core/base/system/visibility.hpp"

namespace upcr {

// kCode: a string that names code to load or a program to run. It counts as unset in a program with
// privileges that its user lacks (privileges.hpp).
// kMegabytes: a size, in megabytes where it has no unit, as the sizes of shared heaps have always been.
enum class ConfigType { kBool, kInt, kSize, kMegabytes, kString, kChoice, kCode };

struct ConfigVar {
  const char* name;
  ConfigType type;
  const char* fallback;           // as a user would write it; nullptr: unset
  const char* help;               // one line, shown to users; nullptr: set by upcr's own tools, never shown
  const char* choices = nullptr;  // kChoice: "auto|yes|no"; kInt: "min..max", "min.." or nullptr
  const char* alias = nullptr;    // another name of it (GASNET_FREEZE for UPCR_FREEZE)
};

class UPCR_MODULE_API ConfigTable {
 public:
  ConfigTable(const char* component, std::span<const ConfigVar> vars);
  const char* component() const noexcept { return component_; }
  std::span<const ConfigVar> vars() const noexcept { return vars_; }
  const ConfigTable* next() const noexcept { return next_; }
  static const ConfigTable* first() noexcept;

 private:
  const char* component_;
  std::span<const ConfigVar> vars_;
  const ConfigTable* next_;
};

// Copies the environment, and applies UPCR_LOG_LEVEL, UPCR_BACKTRACE and UPCR_FREEZE* as far as they are
// valid. May be called again, for a new copy of the environment.
UPCR_MODULE_API void configure();
// Validates every declared variable that is set. A wrong value is fatal and names the variable, the value and
// what was expected: "UPC_SHARED_HEAP_SIZE=12Q: expected a number with K, M, G, KB, MB or GB". Also warns
// about a set UPCR_* name that no table declares ("unknown UPCR_X, did you mean UPCR_Y?"), about a UPC_* or
// GASNET_* name that resembles a declared one, and about components of UPCR_LOG_LEVEL that do not exist.
// Every process of a job calls it, once it knows its rank: the first one with `reports`; the others wait some
// seconds for it to end the job.
UPCR_MODULE_API void check_config(bool reports);

// The value, or the fallback; pointers stay valid. Before configure(): straight from the environment. Asking
// for a name that no table declares is an internal error; a wrong value is fatal here too.
UPCR_MODULE_API bool config_bool(const char* name);  // yes/no, 1/0, true/false, on/off
UPCR_MODULE_API std::int64_t config_int(const char* name);
UPCR_MODULE_API std::uint64_t config_size(const char* name);  // in bytes
UPCR_MODULE_API const char* config_string(
    const char* name);  // kString, kCode, kChoice (as the table spells it); may be null
UPCR_MODULE_API bool config_is_set(const char* name);  // set by the user (either name)

// Parses "64M", "64MB", "1G", "1GB", "4096B", "4096". False when it is none of these or does not fit.
UPCR_MODULE_API bool parse_size(const char* text, std::uint64_t* bytes);
// The same for a size of ConfigType::kMegabytes. False also for a number without a unit that would be a
// terabyte or more: bytes are meant, and have to say so ("67108864B").
UPCR_MODULE_API bool parse_megabytes(const char* text, std::uint64_t* bytes);
// "64 MiB", "1.25 GiB", "4096 bytes" (below 64 KiB): for messages, rounded to two decimals. Writes at most
// `size` bytes and returns buf.
UPCR_MODULE_API const char* format_size(std::uint64_t bytes, char* buf, std::size_t size);

// Prints the tables to stdout, sorted by component: for people (`upcr_info -c`) or as the markdown of
// docs/reference/environment.md.
enum class ConfigFormat { kText, kMarkdown };
UPCR_MODULE_API void print_config(ConfigFormat format);

}  // namespace upcr
