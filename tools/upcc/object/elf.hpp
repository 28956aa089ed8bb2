// SPDX-License-Identifier: BSD-3-Clause
// The symbol tables of objects, archive members and shared libraries, as far as upcc needs them for a link.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace upcc {

// The sections of thread-local data with initial values, and of zeros, which take no space in files.
inline constexpr const char* kTldSection = "upcr_tld";
inline constexpr const char* kTldZeroSection = "upcr_tld_bss";
inline bool is_tld_section(std::string_view name) { return name == kTldSection || name == kTldZeroSection; }

struct Symbol {
  std::string name;
  std::string section;  // "" when undefined, "COMMON", or the section's name
  bool defined = false;
  bool global = false;            // or weak
  bool data = false;              // a variable
  bool tls = false;               // a thread-local one
  bool zero = false;              // its section has no contents, as .bss
  bool hidden = false;            // from shared libraries
  std::uint64_t size = 0;         // in bytes
  std::size_t visibility_at = 0;  // the place in an object's file of the byte that says so
};

struct Object {
  bool readable = false;  // an ELF file of this machine's kind
  bool shared = false;
  bool member = false;          // of an archive: linked only when something needs it
  bool symbols_hidden = false;  // compiled with -flto, so its symbols are not visible
  bool tld = false;             // has one of the sections of thread-local data
  std::string path;             // "lib.a(member.o)" for a member
  std::vector<Symbol> symbols;  // of a shared library: the dynamic ones
  std::string note;             // contents of kNoteSection (note.hpp), or empty
};

// `bytes` is the whole file.
Object parse_object(std::string_view bytes, const std::string& path);
// One object from a file; fatal when it cannot be read.
Object read_object(const std::string& path);
// An object, a shared library, or all members of an archive; nothing for a file of another kind.
std::vector<Object> read_objects(const std::string& path);

}  // namespace upcc
