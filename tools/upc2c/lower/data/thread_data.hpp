// SPDX-License-Identifier: BSD-3-Clause
// Thread-local data: unshared objects with static storage, of which each UPC thread has its own. Where
// threads are processes nothing needs to be done but to say which objects these are. With pthreads upcc moves
// them to sections of their own, and each use computes the address of the calling thread's copy.
#pragma once
#include <string>

#include "tools/upc2c/ast/symbol.hpp"

namespace upc2c {

struct Lower;

class ThreadData {
 public:
  explicit ThreadData(Lower& lower) : lower_(lower) {}

  // Whether a symbol has to be used by use(): never without pthreads.
  bool concerns(const Symbol& symbol) const;
  // The object of the calling thread as an lvalue.
  std::string use(const Symbol& symbol);
  // What follows the declarator of a definition, before its initialiser: it tells upcc that the object is one
  // for each thread. "" for objects that are not.
  std::string attribute(const Symbol& symbol);
  // The same for an object of this name that each thread has.
  static std::string use(const std::string& name);
  static std::string attribute(const std::string& name);

 private:
  void refuse_label(const Declarator& declarator);
  // Whether each thread has its own. Not C's: what `#pragma upc c_code` includes, the C library's variables,
  // and constants that are the same for all.
  bool is_per_thread(const Symbol& symbol) const;
  bool in_c_code(TokenIndex token) const;

  Lower& lower_;
};

}  // namespace upc2c
