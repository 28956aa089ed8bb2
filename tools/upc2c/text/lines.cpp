// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/lines.hpp"

#include <algorithm>

namespace upc2c {

LineTable::LineTable(std::string_view text, std::string name) : text_(text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    ends_.push_back(static_cast<std::uint32_t>(at));
  files_.push_back(std::move(name));
  origins_.push_back(Origin::kUser);
  stretches_.push_back({0, 0, 1, Origin::kUser, -1});
}

std::uint32_t LineTable::file_number(std::string_view file, Origin entered_as) {
  for (std::size_t i = files_.size(); i > 0; i--)  // most often a recent one
    if (files_[i - 1] == file) return static_cast<std::uint32_t>(i - 1);
  files_.emplace_back(file);
  origins_.push_back(entered_as);
  return static_cast<std::uint32_t>(files_.size() - 1);
}

void LineTable::mark(std::uint32_t offset, std::uint32_t line, std::string_view file, bool enters,
                     bool returns, bool system) {
  if (enters) open_.push_back(static_cast<std::int32_t>(stretches_.size()) - 1);
  if (returns && !open_.empty()) open_.pop_back();
  // gcc marks what the macros of system headers expand to in other files, too: a marker that neither enters
  // nor leaves a file does not change whose text it is.
  Origin origin = system && !program_headers_.contains(file) ? Origin::kSystem : Origin::kUser;
  if (!enters && !returns && file == files_[stretches_.back().file]) origin = stretches_.back().origin;
  if (file.find("/upcr_preinclude/") != std::string_view::npos) origin = Origin::kLibrary;
  const std::uint32_t number = file_number(file, origin);
  if (enters) origins_[number] = origin;
  const Stretch next{offset, number, line, origins_[number], open_.empty() ? -1 : open_.back()};
  stretches_.push_back(next);
}

const Stretch& LineTable::stretch(std::uint32_t offset) const {
  const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), offset,
                                      [](std::uint32_t at, const Stretch& s) { return at < s.offset; });
  return *(after - 1);
}

std::uint32_t LineTable::lines_before(std::uint32_t offset) const {
  return static_cast<std::uint32_t>(std::lower_bound(ends_.begin(), ends_.end(), offset) - ends_.begin());
}

Place LineTable::place(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const Stretch& from = stretch(offset);
  const std::uint32_t lines = lines_before(offset);
  const std::uint32_t begin = std::max(from.offset, lines == 0 ? 0 : ends_[lines - 1] + 1);
  return {files_[from.file], from.line + lines - lines_before(from.offset), offset - begin + 1, from.origin};
}

Place LineTable::includer(const Stretch& of) const {
  if (of.included_at < 0) return {};
  const auto at = static_cast<std::size_t>(of.included_at);
  const Stretch& from = stretches_[at];
  // The text of the stretch ends with the marker that entered the file; the directive was the line before it.
  const std::uint32_t end = at + 1 < stretches_.size() ? stretches_[at + 1].offset : from.offset;
  const std::uint32_t lines = lines_before(end) - lines_before(from.offset);
  return {files_[from.file], from.line + (lines > 1 ? lines - 1 : 0), 1, from.origin};
}

std::string_view LineTable::line_text(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const std::uint32_t lines = lines_before(offset);
  const std::size_t begin = lines == 0 ? 0 : ends_[lines - 1] + 1;
  const std::size_t end = lines < ends_.size() ? ends_[lines] : text_.size();
  return text_.substr(begin, end - begin);
}

}  // namespace upc2c
