// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/upc_headers.hpp"

#include <algorithm>
#include <vector>

#include "tools/upc2c/text/directive.hpp"

namespace upc2c {
namespace {

std::string_view folder_of(std::string_view file) { return file.substr(0, file.rfind('/') + 1); }

bool names_upc(std::string_view include) {
  const std::size_t open = include.find_first_of("<\"");
  if (open == std::string_view::npos) return false;
  const std::string_view rest = include.substr(open + 1), name = rest.substr(0, rest.find_first_of(">\""));
  return is_language_header(name);
}

// Collects the system headers of a text, and which includes which.
class Headers {
 public:
  void read(std::string_view line) {
    const DirectiveLine directive = parse_directive(line);
    if (directive.kind == DirectiveKind::kLineMarker) {
      enter(directive);
    } else if (directive.kind == DirectiveKind::kInclude) {
      in_quotes_ = line.find('"') < line.find('<');
      if (names_upc(line)) add_upc();
    } else if (directive.is_pragma && directive.pragma == PragmaKind::kUpcCode) {
      add_upc();
    }
  }

  std::set<std::string, std::less<>> found() {
    for (bool more = true; more;) {
      more = false;
      for (const Include& include : includes_) {
        const bool by = upc_.contains(include.by), of = upc_.contains(include.of);
        if (of && !by) more |= upc_.emplace(include.by).second;
        if (by && !of && include.in_quotes && include.of.starts_with(folder_of(include.by)))
          more |= upc_.emplace(include.of).second;
      }
    }
    return std::move(upc_);
  }

 private:
  struct File {
    std::string_view name;
    bool is_header;  // of the system, and not upcr's
  };
  struct Include {
    std::string_view by, of;
    bool in_quotes;
  };

  void enter(const DirectiveLine& marker) {
    const bool is_header = marker.system && marker.file.find("/upcr_preinclude/") == std::string_view::npos;
    const File file{marker.file, is_header};
    if (marker.returns && !open_.empty()) open_.pop_back();
    if (marker.enters) {
      if (!open_.empty() && open_.back().is_header && is_header)
        includes_.push_back({open_.back().name, file.name, in_quotes_});
      open_.push_back(file);
    } else if (open_.empty()) {
      open_.push_back(file);
    }
  }

  void add_upc() {
    if (!open_.empty() && open_.back().is_header) upc_.emplace(open_.back().name);
  }

  std::vector<File> open_;  // the files that are being read, the innermost last
  std::vector<Include> includes_;
  std::set<std::string, std::less<>> upc_;
  bool in_quotes_ = false;  // the last include
};

}  // namespace

bool is_language_header(std::string_view name) {
  return name == "upc.h" || name == "upc_strict.h" || name == "upc_relaxed.h";
}

std::set<std::string, std::less<>> upc_headers(std::string_view text) {
  Headers headers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at && text[at] == '#') headers.read(text.substr(at, end - at));
    at = end + 1;
  }
  return headers.found();
}

}  // namespace upc2c
