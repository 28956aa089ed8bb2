// SPDX-License-Identifier: BSD-3-Clause
// Start and end of collectives. See attach.hpp.
#include "upcr/coll/api/attach.hpp"

#include "upcr/coll/api/nonblocking.hpp"
#include "upcr/coll/call/single_valued.hpp"
#include "upcr/coll/call/transport.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr::coll {

void plan(Job& job) {
  plan_inboxes(job);
  plan_flag_lines(job);
  plan_single_valued(job);
}

void attach(Job& job) {
  register_transport(*job.engine);
  register_single_valued(*job.engine);
  register_nonblocking();
  for (Slot i = 0; i < job.topology.my_slots(); ++i) {
    ThreadCtx& c = runtime().contexts[i];
    c.coll = new Member(c.thread);  // never freed: peers may query it after the program's end
    c.coll->all.me = c.thread;
    c.coll->all.size = job.topology.slots();
    attach_flag_lines(job, c.coll->flag_state);
  }
}

void thread_end(ThreadCtx& c) {
  report_unfinished(c);
  announce_end(member(c));
}

}  // namespace upcr::coll
