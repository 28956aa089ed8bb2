// SPDX-License-Identifier: BSD-3-Clause
// Put, get and memset as the inlined code of gasnet/extended.h calls them: memory that is mapped here by
// plain copies, the rest by core/rma. Client threads; not in a handler.
#include <atomic>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/operation.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"

namespace upcr::gasnet {
namespace {

std::uint64_t wire(const void* address) noexcept { return reinterpret_cast<std::uint64_t>(address); }

void wait_for(const Pending& pending, const char* what, gasnet_node_t node) {
  job().progress.wait_until(my_slot(), {what, node, WaitFor::kAnswer}, [&] { return pending.done(); });
}

void start_put(gasnet_node_t node, void* dest, const void* src, std::size_t n, Pending& done,
               Pending* local) {
  if (n == 0) return;
  if (void* here = mapped_here(node, dest)) {
    std::atomic_thread_fence(std::memory_order_release);
    atomic_copy(here, src, n);
    std::atomic_thread_fence(std::memory_order_release);
  } else {
    job().rma.put(node, wire(dest), src, n, done, local);
  }
}

void start_get(void* dest, gasnet_node_t node, const void* src, std::size_t n, Pending& done) {
  if (n == 0) return;
  if (const void* here = mapped_here(node, src)) {
    atomic_copy(dest, here, n);
    std::atomic_thread_fence(std::memory_order_acquire);
  } else {
    job().rma.get(node, dest, wire(src), n, done);
  }
}

void start_memset(gasnet_node_t node, void* dest, int val, std::size_t n, Pending& done) {
  if (n == 0) return;
  if (void* here = mapped_here(node, dest))
    gasneti_fill(here, val, n);
  else
    job().rma.fill(node, wire(dest), static_cast<unsigned char>(val), n, done);
}

void check_width(const char* function, std::size_t n) {
#if UPCR_DEBUG
  if (n == 0 || n > sizeof(gasnet_register_value_t))
    fatal("%s: a value of %zu bytes; values have 1 to %zu bytes", function, n,
          sizeof(gasnet_register_value_t));
#endif
}

}  // namespace

extern "C" {

GASNETI_API void gasneti_put(const char* function, gasnet_node_t node, void* dest, const void* src,
                             size_t n) {
  check_remote(function, node, dest, n);
  const Traced traced(Event::kPut, node, n);
  Pending done;
  start_put(node, dest, src, n, done, &done);  // the source is unchanged until this returns: no copy
  wait_for(done, "a put to node", node);
}

GASNETI_API void gasneti_get(const char* function, void* dest, gasnet_node_t node, const void* src,
                             size_t n) {
  check_remote(function, node, src, n);
  const Traced traced(Event::kGet, node, n);
  Pending done;
  start_get(dest, node, src, n, done);
  wait_for(done, "a get from node", node);
}

GASNETI_API void gasneti_memset(const char* function, gasnet_node_t node, void* dest, int val, size_t n) {
  check_remote(function, node, dest, n);
  const Traced traced(Event::kMemset, node, n);
  Pending done;
  start_memset(node, dest, val, n, done);
  wait_for(done, "a memset on node", node);
}

GASNETI_API gasnet_register_value_t gasneti_get_value(const char* function, gasnet_node_t node,
                                                      const void* src, size_t n) {
  check_width(function, n);
  gasnet_register_value_t value = 0;
  gasneti_get(function, GASNETI_LOW_BYTES(&value, n), node, src, n);
  return value;
}

GASNETI_API gasnet_handle_t gasneti_put_nb(const char* function, gasnet_node_t node, void* dest,
                                           const void* src, size_t n, unsigned how) {
  check_remote(function, node, dest, n);
  const Traced traced(nonblocking(Event::kPut, how), node, n);
  if (n == 0) return nullptr;
  Operation op(function, how, GASNETI_PUTS);
  start_put(node, dest, src, n, op.pending(), op.local(how));
  return op.finish();
}

GASNETI_API gasnet_handle_t gasneti_get_nb(const char* function, void* dest, gasnet_node_t node,
                                           const void* src, size_t n, unsigned how) {
  check_remote(function, node, src, n);
  const Traced traced(nonblocking(Event::kGet, how), node, n);
  if (n == 0) return nullptr;
  Operation op(function, how, GASNETI_GETS);
  start_get(dest, node, src, n, op.pending());
  return op.finish();
}

GASNETI_API gasnet_handle_t gasneti_memset_nb(const char* function, gasnet_node_t node, void* dest, int val,
                                              size_t n, unsigned how) {
  check_remote(function, node, dest, n);
  const Traced traced(nonblocking(Event::kMemset, how), node, n);
  if (n == 0) return nullptr;
  Operation op(function, how, GASNETI_PUTS);
  start_memset(node, dest, val, n, op.pending());
  return op.finish();
}

GASNETI_API gasnet_handle_t gasneti_put_value(const char* function, gasnet_node_t node, void* dest,
                                              gasnet_register_value_t v, size_t n, unsigned how) {
  check_width(function, n);
  const void* bytes = GASNETI_LOW_BYTES(&v, n);
  if (how != 0) return gasneti_put_nb(function, node, dest, bytes, n, how);  // captured before it returns
  gasneti_put(function, node, dest, bytes, n);
  return nullptr;
}

GASNETI_API gasnet_valget_handle_t gasneti_get_nb_value(const char* function, gasnet_node_t node,
                                                        const void* src, size_t n) {
  check_width(function, n);
  check_remote(function, node, src, n);
  const Traced traced(Event::kGetNb, node, n);
  Op* op = acquire_op(thread_state(), function);
  op->value = 0;
  start_get(GASNETI_LOW_BYTES(&op->value, n), node, src, n, op->pending);
  return reinterpret_cast<gasnet_valget_handle_t>(to_handle(op));
}

GASNETI_API gasnet_register_value_t gasneti_wait_value(const char* function, gasnet_valget_handle_t handle) {
  check_call(function);
  const Traced traced(Event::kSync);
  ThreadState& t = thread_state();
  Op* op = from_handle(t, function, reinterpret_cast<gasnet_handle_t>(handle));
  job().progress.wait_until(my_slot(), {"a get of a value"}, [&] { return op->pending.done(); });
  const gasnet_register_value_t value = op->value;
  release_op(t, op);
  return value;
}

}  // extern "C"

}  // namespace upcr::gasnet
