// SPDX-License-Identifier: BSD-3-Clause
// How different two names are, for "did you mean". Header only: the compiler driver needs nothing else of the
// library.
#pragma once
#include <algorithm>
#include <cstddef>
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

}  // namespace upcr
