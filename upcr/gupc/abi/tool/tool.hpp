// SPDX-License-Identifier: BSD-3-Clause
// The measurement tool (GASP, include/gasp_upc.h) that may be linked with a program: whether there is one,
// and the events of the g forms of entry points. Each UPC thread reports its own events. Without a tool
// nothing happens, at no cost. The tool gets upcr's pointers-to-shared, whatever the compiler's are.
#pragma once
#include "gasp.h"
#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/pointer/position.hpp"

extern "C" {
// Defined by the tool.
extern gasp_context_t gasp_init(gasp_model_t, int*, char***) __attribute__((weak));
extern void gasp_event_notify(gasp_context_t, unsigned int, gasp_evttype_t, const char*, int, int, ...)
    __attribute__((weak));
// Defined by the library: the calling thread's context, or null while it is switched off.
extern gasp_context_t upcri_gasp_context(void);
}

namespace gupc {

inline bool has_tool() { return gasp_init != nullptr && gasp_event_notify != nullptr; }

// `p` as upcr's pointer; null for pointers that the access itself will refuse.
inline upcr_shared_ptr_t as_upcr_pointer(upc_shared_ptr_t p) {
  return has_tool() && gupc_in_reach(p, 0) ? gupc_to_upcr(p) : upcri_make_shared(0, 0, 0);
}

// One call of a g form: records its position, and reports its start and end to the tool.
class InstrumentedCall {
 public:
  InstrumentedCall(const char* file, int line) : file_(file), line_(line) {
    at(file, line);
    if (has_tool()) to_ = upcri_gasp_context();
  }
  template <class... Args>
  void event(unsigned tag, gasp_evttype_t type, Args... args) const {
    if (to_ != nullptr) gasp_event_notify(to_, tag, type, file_, line_, 0, args...);
  }
  // Start and end have the same arguments.
  template <class Call, class... Args>
  void span(unsigned tag, Call call, Args... args) const {
    event(tag, GASP_START, args...);
    call();
    event(tag, GASP_END, args...);
  }
  // The same for a call that allocates: the last argument of the end is the pointer.
  template <class Call, class... Args>
  upc_shared_ptr_t allocation_span(unsigned tag, Call call, Args... args) const {
    event(tag, GASP_START, args...);
    const upc_shared_ptr_t made = call();
    const upcr_shared_ptr_t result = as_upcr_pointer(made);
    event(tag, GASP_END, args..., &result);
    return made;
  }

 private:
  gasp_context_t to_ = nullptr;
  const char* file_;
  int line_;
};

}  // namespace gupc
