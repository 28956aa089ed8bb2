// SPDX-License-Identifier: BSD-3-Clause
// -M, -MM, -MD, -MMD for a translated file: the compiler reads a copy, but the rule for make must name the
// original.
#pragma once
#include "tools/upcc/options/options.hpp"

namespace upcc {

// The file of a source's rule for make, and the rule's target.
struct MakeRule {
  std::string file, target;
};
// In a command that also links, where the object is temporary: the program is the target, as for other
// compilers; without -o an object of the source's name.
MakeRule rule_in_link(const Options& options, const std::string& source);

class Dependencies {
 public:
  Dependencies(const Options& options, const std::string& source, const std::string& copy,
               const std::string& object);
  // Options for the compiler's command; empty when no dependencies are asked for.
  Arguments arguments() const;
  // After the compilation: writes the compiler's rule, with the original's name in it, to its destination.
  void finish() const;

 private:
  const std::string source_, copy_;
  bool wanted_;
  bool has_target_;
  std::string target_;       // of the rule
  std::string written_;      // the compiler's
  std::string destination_;  // empty: stdout
};

}  // namespace upcc
