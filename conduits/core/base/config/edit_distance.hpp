// SPDX-License-Identifier: BSD-3-Clause
// How different two names are, for "did you mean". Header only: the compiler driver needs nothing else of the
// library.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upcr {

// The Damerau-Levenshtein distance: how many letters must be inserted, removed, replaced or swapped with
// their neighbour.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: a swap needs the row before last.
  std::vector<std::size_t> older(b.size() + 1), old(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) old[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, old[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
    older.swap(old);
    old.swap(row);
  }
  return old[b.size()];
}

// Of several names the one that is most similar to `name`, and the first of equals. It differs by at most
// `limit`.
template <typename Shown>
class MostSimilar {
 public:
  MostSimilar(std::string_view name, std::size_t limit) : name_(name), least_(limit + 1) {}
  // `shown`: what found() returns for this name.
  void consider(std::string_view candidate, const Shown& shown) {
    const std::size_t distance = edit_distance(name_, candidate);
    if (distance >= least_) return;
    least_ = distance;
    found_ = shown;
  }
  const Shown& found() const { return found_; }  // Shown{}: none is similar

 private:
  std::string_view name_;
  std::size_t least_;
  Shown found_{};
};

// The messages about variables of this environment that begin with `prefix`, are none of `known`, and
// resemble one of them: other programs may have variables with the prefix.
inline std::vector<std::string> misspelt_variables(char* const* environment, std::string_view prefix,
                                                   std::span<const std::string_view> known) {
  std::vector<std::string> messages;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry(*environment), name = entry.substr(0, entry.find('='));
    if (!name.starts_with(prefix) || std::ranges::find(known, name) != known.end()) continue;
    MostSimilar<std::string> similar(name, name.size() < prefix.size() + 5 ? 1 : 2);
    for (const std::string_view candidate : known) similar.consider(candidate, std::string(candidate));
    if (!similar.found().empty())
      messages.push_back("unknown " + std::string(name) + ", did you mean " + similar.found() + "?");
  }
  return messages;
}

}  // namespace upcr
