// SPDX-License-Identifier: BSD-3-Clause
// Facts that upcc needs about a C file: whether a UPC-to-C translator wrote it, for which runtime, and which
// thread-local data it has.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/upcc/scan/lexer.hpp"
#include "tools/upcc/scan/redefined_names.hpp"

namespace upcc {

// The UPCR_TLD_DEFINEs of one name: of a variable of the file, and of static ones of its functions.
struct TldDefinition {
  bool external = false;     // one of them is seen by other files
  bool initialised = false;  // and has "= value"
};

struct DirectUse {
  std::string name, file;  // the file that #line names; empty: the scanned file
  int line;
};

struct SourceInfo {
  bool includes_upcr = false;                  // upcr.h, by any path
  bool translated = false;                     // a translator wrote it
  int encoding = 0;                            // UPCRI_ENCODING (encoding.hpp), set when it is compiled
  int want_major = -1, want_minor = -1;        // UPCR_WANT_MAJOR and _MINOR, or -1
  int shared_size = -1, pshared_size = -1;     // UPCR_SHARED_SIZE_ and UPCR_PSHARED_SIZE_, or -1
  std::string alloc_function, init_function;   // UPCRI_ALLOC_*, UPCRI_INIT_* defined here
  bool allocates = false;                      // static shared data, in alloc_function
  bool defines_main = false;                   // main(), and the runtime is to call it
  std::map<std::string, TldDefinition> tld;    // defined here
  std::vector<std::string> tld_addresses;      // names given to UPCR_TLD_ADDR; each once
  std::vector<DirectUse> direct_uses;          // first use by plain name of each thread-local variable
  std::vector<RedefinedName> redefined_names;  // names of the UPC library that this file redefines
  std::set<std::string> visible_names;         // declared with the attribute visibility("default")
  bool redeclares = false;                     // declares a function of the runtime again
  bool defines_gnu_source = false;             // _GNU_SOURCE
  bool tld_needs_preprocessing = false;        // macros may hide entries of the lists above
};

// Whether the source defines _GNU_SOURCE itself.
bool defines_gnu_source(const std::vector<Token>& tokens);

SourceInfo scan_source(std::string_view text, const std::vector<Token>& tokens, const std::string& path);

// Corrects tld, tld_addresses and direct_uses by the preprocessor's output for the text with UPCRI_TLD_SCAN
// defined.
void rescan_preprocessed(const std::vector<Token>& preprocessed, SourceInfo& source);

// The uses by plain name, in function bodies, of the variables in source.tld and source.tld_addresses and of
// the control flag of upc_forall (direct_uses.cpp). Uses in UPCR_TLD_* and local variables, parameters,
// members and labels of the same names do not count.
std::vector<DirectUse> find_direct_uses(const std::vector<Token>& tokens, const SourceInfo& source);

// The variable that `name` stands for, as the symbol of the object is spelled: translators have a macro for
// the control flag of upc_forall, and preprocessors write letters of other languages as escapes.
std::string tld_name(std::string_view name);

}  // namespace upcc
