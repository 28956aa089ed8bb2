// SPDX-License-Identifier: BSD-3-Clause
// Where bytes of the preprocessed text come from: the line markers (# 12 "file.h" 1 3) as a table.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/upc2c/text/token.hpp"

namespace upc2c {

// A line of an original file. Columns are of the preprocessed text; OriginalLines maps them.
struct Place {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // from 1, in bytes
  Origin origin = Origin::kUser;
};

// One stretch of text whose lines follow each other in one file.
struct Stretch {
  std::uint32_t offset;  // of its first byte
  std::uint32_t file;    // in LineTable::files
  std::uint32_t line;    // of its first byte
  Origin origin;
  std::int32_t included_at;  // the stretch that has the #include as its last line, or -1
};

class LineTable {
 public:
  explicit LineTable(std::string_view text, std::string name);
  // Before the first mark(): files of system folders whose text is the program's.
  void set_program_headers(std::set<std::string, std::less<>> files) { program_headers_ = std::move(files); }

  // A line marker: the text from `offset` on is line `line` of `file`. Flags as the preprocessor gives them:
  // 1 enters a file, 2 returns to it, 3 is a system header. What a macro of a system header expands to in a
  // file of the user's has flag 3 too, so the flag counts where a file is entered.
  void mark(std::uint32_t offset, std::uint32_t line, std::string_view file, bool enters, bool returns,
            bool system);
  Origin origin() const { return stretches_.back().origin; }

  Place place(std::uint32_t offset) const;
  const Stretch& stretch(std::uint32_t offset) const;
  // Where the file of this stretch was included, or a place of line 0.
  Place includer(const Stretch& stretch) const;
  std::string_view file(const Stretch& stretch) const { return files_[stretch.file]; }
  // The line of preprocessed text that holds the offset, without its newline.
  std::string_view line_text(std::uint32_t offset) const;

 private:
  // `entered_as`: the origin of a file that is new.
  std::uint32_t file_number(std::string_view file, Origin entered_as);

  // How many line ends stand before the offset.
  std::uint32_t lines_before(std::uint32_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> ends_;  // offsets of the line ends
  std::vector<std::string> files_;
  std::vector<Origin> origins_;  // of files_
  std::vector<Stretch> stretches_;
  std::set<std::string, std::less<>> program_headers_;
  std::vector<std::int32_t> open_;  // stretches with the #include of the files that are being read
};

}  // namespace upc2c
