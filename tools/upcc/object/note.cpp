// SPDX-License-Identifier: BSD-3-Clause
// See note.hpp.
#include "tools/upcc/object/note.hpp"

#include <cstdlib>
#include <sstream>

#include "include/upcr/types.h"

namespace upcc {
namespace {

// A string for the assembler inside a string for the compiler.
std::string assembler_bytes(const std::string& text) {
  std::string out;
  for (unsigned char c : text) {
    if (std::isalnum(c) || c == '_' || c == '.' || c == '/' || c == ' ' || c == '-') {
      out += static_cast<char>(c);
      continue;
    }
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\\\%03o", c);
    out += octal;
  }
  return out;
}

// "LINE NAME FILE", as note_text() writes it.
DirectUse parse_use(const std::string& text) {
  std::istringstream arguments(text);
  DirectUse use{};
  arguments >> use.line >> use.name >> std::ws;
  std::getline(arguments, use.file);
  return use;
}

}  // namespace

Note note_of(const std::string& path, const SourceInfo& source, const Options& options) {
  Note note;
  note.present = true;
  note.file = path;
  note.pointer_size = UPCR_SHARED_SIZE;
  note.debug = options.debug;
  note.threads = options.threads;
  note.tld_addresses = source.tld_addresses;
  note.direct_uses = source.direct_uses;
  note.encoding = source.encoding;
  return note;
}

std::string note_text(const Note& note) {
  std::ostringstream lines;
  lines << "pointer " << note.pointer_size << "\ndebug " << note.debug << "\nthreads " << note.threads
        << "\nencoding " << note.encoding << "\n";
  for (const std::string& name : note.tld_addresses) lines << "address " << name << "\n";
  for (const DirectUse& use : note.direct_uses)
    lines << "plain " << use.line << " " << use.name << " " << use.file << "\n";
  lines << "file " << note.file << "\n";
  std::string text = "__asm__(\".pushsection " + std::string(kNoteSection) + ",\\\"e\\\",%progbits\\n\"\n";
  std::istringstream each(lines.str());
  for (std::string line; std::getline(each, line);)
    text += "        \".ascii \\\"" + assembler_bytes(line + "\n") + "\\\"\\n\"\n";
  return text + "        \".popsection\");\n";
}

Note parse_note(std::string_view section) {
  Note note;
  note.present = true;
  std::istringstream lines{std::string(section)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string key = line.substr(0, blank), value = line.substr(blank + 1);
    if (key == "file") note.file = value;
    if (key == "pointer") note.pointer_size = std::atoi(value.c_str());
    if (key == "debug") note.debug = value == "1";
    if (key == "threads") note.threads = static_cast<unsigned>(std::atoi(value.c_str()));
    if (key == "encoding") note.encoding = std::atoi(value.c_str());
    if (key == "address") note.tld_addresses.push_back(value);
    if (key == "plain") note.direct_uses.push_back(parse_use(value));
  }
  return note;
}

}  // namespace upcc
