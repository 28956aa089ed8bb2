// SPDX-License-Identifier: BSD-3-Clause
// A pointer-to-shared as text for messages: that of bupc_dump_shared(). Any thread.
#pragma once
#include "include/upcr/sptr.h"

namespace upcr {

class PointerText {
 public:
  explicit PointerText(upcr_shared_ptr_t p) noexcept { (void)_bupc_dump_shared(p, text_, sizeof text_); }
  const char* c_str() const noexcept { return text_; }

 private:
  char text_[BUPC_DUMP_MIN_LENGTH];
};

}  // namespace upcr
