// SPDX-License-Identifier: BSD-3-Clause
// The note that upcc writes into each object of translated C and reads when it links: a section of text
// lines, which the linker leaves out of the program.
#pragma once
#include "tools/upcc/options/options.hpp"
#include "tools/upcc/scan/scan.hpp"

namespace upcc {

inline constexpr const char* kNoteSection = ".upcr.note";

struct Note {
  bool present = false;
  std::string file;                        // the source, as given
  int pointer_size = 0;                    // sizeof(upcr_shared_ptr_t)
  bool debug = false;                      // compiled with -g
  unsigned threads = 0;                    // compiled with -T; 0: any
  int encoding = 0;                        // UPCRI_ENCODING
  std::vector<std::string> tld_addresses;  // names used through UPCR_TLD_ADDR
  std::vector<DirectUse> direct_uses;      // thread-local variables used by their plain names
};

Note note_of(const std::string& path, const SourceInfo& source, const Options& options);
// C text that puts the note into an object.
std::string note_text(const Note& note);
// `section`: the contents of kNoteSection.
Note parse_note(std::string_view section);

}  // namespace upcc
