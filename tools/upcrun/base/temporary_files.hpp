// SPDX-License-Identifier: BSD-3-Clause
// Files of the job's on this host that are to be gone when it has ended: what its processes say with
// wire::Type::kRemoveAtEnd. Kept by whoever is the parent of those processes, upcrun or an agent.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace upcrun {

class TemporaryFiles {
 public:
  // `text`: the packet's payload; `remove`: its value. False: it is not of that form.
  bool note(std::string_view text, bool remove);
  // After the job's processes have ended. A name that is now another file's is left alone.
  void remove_all();

 private:
  std::set<std::string> texts_;
};

}  // namespace upcrun
