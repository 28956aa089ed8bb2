// SPDX-License-Identifier: BSD-3-Clause
// Shared objects that a loop reads once (loop/fixed_reads.hpp): when it would read them first, so that
// nothing is read that the loop as it is written does not read. What the text calls is in upcr/upc2c.h.
#pragma once
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/upc2c/analysis/fixed_reads.hpp"

namespace upc2c {

struct Lower;

class ReadsOnce {
 public:
  explicit ReadsOnce(Lower& lower) : lower_(lower) {}

  // Around the text of a loop.
  void enter(const std::vector<FixedRead>& reads);
  // The loop with the declarations that it needs.
  std::string leave(const Node& loop, const std::vector<FixedRead>& reads, std::string text);
  bool has(const Expr* access) const { return of_.count(access) != 0; }
  // The value of a shared lvalue that read() is the text of, or "".
  std::string value(const Expr* access, const std::function<std::string()>& read);

 private:
  struct Object {
    std::string value, is_read;  // names of variables
    bool used = false;
  };
  std::vector<Object> objects_;  // of the loops that are being written
  std::unordered_map<const Expr*, std::size_t> of_;
  Lower& lower_;
};

}  // namespace upc2c
