// SPDX-License-Identifier: BSD-3-Clause
// Files on this host that must be removed when the job has ended: its processes name them by
// wire::Type::kRemoveAtEnd. The parent of these processes, upcrun or an agent, keeps the list.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace upcrun {

class TemporaryFiles {
 public:
  // `text`: the packet's payload; `remove`: its value. Returns false when the text has not the right form.
  bool note(std::string_view text, bool remove);
  // Call it after the job's processes have ended. A path that now names another file is left alone.
  void remove_all();

 private:
  std::set<std::string> texts_;
};

}  // namespace upcrun
