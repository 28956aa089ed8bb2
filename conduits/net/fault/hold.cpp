// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/fault/hold.hpp"

#include "conduits/net/fault/hold.h"

namespace upcr {

Hold& hold() noexcept {
  static Hold one;
  return one;
}

}  // namespace upcr

using upcr::hold;

extern "C" {

void upcri_fault_keep_next(unsigned n) { hold().next.store(n); }
void upcri_fault_release(void) {
  hold().next.store(0);
  hold().releases.fetch_add(1);
}
unsigned upcri_fault_kept(void) { return hold().kept.load(); }
unsigned long upcri_fault_sent(void) { return hold().sent.load(); }
unsigned long upcri_fault_polls(void) { return hold().polls.load(); }

}  // extern "C"
