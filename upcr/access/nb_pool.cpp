// SPDX-License-Identifier: BSD-3-Clause
// The pool of explicit handles, and their records in debug builds: see nb.hpp.
#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "upcr/access/nb.hpp"
#include "upcr/observe/span.hpp"

namespace upcr {
namespace {

constexpr std::size_t kFirstChunk = 64, kLargestChunk = 16384;  // handles

#if UPCR_DEBUG
constexpr unsigned kNumberShift = 48;  // user addresses have 47 bits

// Every chunk of the process: distinguishes a handle from any other pointer before it is dereferenced.
struct Chunks {
  std::mutex lock;
  std::vector<EopPool::Chunk*> all;
};
Chunks& chunks() {
  static Chunks* const one = new Chunks;
  return *one;
}

bool is_eop(const Eop* eop) {
  const std::lock_guard<std::mutex> hold(chunks().lock);
  return std::any_of(chunks().all.begin(), chunks().all.end(), [&](const EopPool::Chunk* c) {
    const auto offset = reinterpret_cast<std::uintptr_t>(eop) - reinterpret_cast<std::uintptr_t>(c->eops);
    return offset < c->count * sizeof(Eop) && offset % sizeof(Eop) == 0;
  });
}

// "upcr_put_nb_shared at heat.c:120"
struct SiteText {
  explicit SiteText(const Eop::Site& s) {
    const char* function = s.function != nullptr ? s.function : "a non-blocking operation";
    if (s.file != nullptr)
      std::snprintf(text, sizeof text, "%s at %s:%d", function, s.file, s.line);
    else
      std::snprintf(text, sizeof text, "%s at an unknown position", function);
  }
  char text[400];
};

Eop::Site site_of(const ThreadCtx& c, const char* function) { return {function, c.file, c.line}; }
#endif

void grow(ThreadCtx& c, EopPool& pool) {
  const std::size_t count =
      pool.chunks == nullptr ? kFirstChunk : std::min(pool.chunks->count * 2, kLargestChunk);
  auto* chunk = new EopPool::Chunk{pool.chunks, count, new Eop[count]};
  pool.chunks = chunk;
  for (std::size_t i = count; i-- > 0;) {
    Eop& eop = chunk->eops[i];
#if UPCR_DEBUG
    eop.owner = c.thread;
    eop.number = static_cast<std::uint16_t>(1 + c.thread * 40503u);  // differs between processes
#endif
    eop.next = pool.free;
    pool.free = &eop;
  }
#if UPCR_DEBUG
  const std::lock_guard<std::mutex> hold(chunks().lock);
  chunks().all.push_back(chunk);
#endif
}

}  // namespace

EopPool& eop_pool(ThreadCtx& c) {
  if (c.eops == nullptr) c.eops = new EopPool;
  return *c.eops;
}

Eop* acquire_eop(ThreadCtx& c, const char* function, unsigned how) {
  EopPool& pool = eop_pool(c);
  if (pool.free == nullptr) grow(c, pool);
  Eop* eop = pool.free;
  pool.free = eop->next;
  eop->how = how;
#if UPCR_DEBUG
  eop->before = eop->issued;
  eop->issued = site_of(c, function);
  eop->live = true;
  if ((how & UPCRI_NB_STRICT) != 0) pool.strict = eop;
  if ((how & (UPCRI_NB_BULK | UPCRI_NB_REGION)) == 0) ++pool.scalars;
#endif
  return eop;
}

void release_eop(ThreadCtx& c, Eop* eop) {
  if (__builtin_expect(eop->in_flight != 0, 0)) {
    observe::in_flight(-static_cast<std::int64_t>(eop->in_flight));
    eop->in_flight = 0;
  }
  EopPool& pool = *c.eops;
#if UPCR_DEBUG
  eop->live = false;
  ++eop->number;
  if (pool.strict == eop) pool.strict = nullptr;
  if ((eop->how & (UPCRI_NB_BULK | UPCRI_NB_REGION)) == 0) --pool.scalars;
#endif
  eop->next = pool.free;
  pool.free = eop;
}

#if !UPCR_DEBUG

upcr_handle_t to_handle(Eop* eop) { return eop; }
Eop* from_handle(ThreadCtx& c, const char* function, upcr_handle_t handle) { return handle; }
void nb_report_leaks(ThreadCtx& c) {}

#else

upcr_handle_t to_handle(Eop* eop) {
  return reinterpret_cast<upcr_handle_t>(reinterpret_cast<std::uintptr_t>(eop) | std::uintptr_t{eop->number}
                                                                                     << kNumberShift);
}

Eop* from_handle(ThreadCtx& c, const char* function, upcr_handle_t handle) {
  const auto bits = reinterpret_cast<std::uintptr_t>(handle);
  const auto number = static_cast<std::uint16_t>(bits >> kNumberShift);
  auto* eop = reinterpret_cast<Eop*>(bits & ((std::uintptr_t{1} << kNumberShift) - 1));
  if (!is_eop(eop))
    fatal(
        "%s: %p is not the handle of an operation of this UPC thread; handles belong to the thread that "
        "issued the operation",
        function, static_cast<void*>(handle));
  if (eop->owner != c.thread)
    fatal(
        "%s: UPC thread %u synchronises an operation that UPC thread %u issued (%s); only the issuing thread "
        "may",
        function, c.thread, eop->owner, SiteText(eop->issued).text);
  if (eop->live && number == eop->number) {
    eop->synced = site_of(c, function);
    return eop;
  }
  if (static_cast<std::uint16_t>(number + 1) != eop->number)
    fatal("%s: this handle was synchronised long ago; each operation is synchronised exactly once", function);
  if (eop->live)  // it has been reused for another operation since
    fatal("%s: the operation %s was synchronised already; each is synchronised exactly once", function,
          SiteText(eop->before).text);
  fatal("%s: the operation %s was synchronised already, by %s; each is synchronised exactly once", function,
        SiteText(eop->issued).text, SiteText(eop->synced).text);
}

void nb_report_leaks(ThreadCtx& c) {
  if (c.eops == nullptr) return;
  const EopPool& pool = *c.eops;
  std::size_t count = 0;
  constexpr std::size_t kShown = 10;
  for (const EopPool::Chunk* chunk = pool.chunks; chunk != nullptr; chunk = chunk->next) {
    for (std::size_t i = 0; i < chunk->count; ++i) {
      if (!chunk->eops[i].live) continue;
      if (++count <= kShown)
        warn(
            "the non-blocking operation %s was never synchronised; give its handle to upcr_wait_syncnb or "
            "another synchronisation function",
            SiteText(chunk->eops[i].issued).text);
    }
  }
  if (count > kShown) warn("and %zu more non-blocking operations were never synchronised", count - kShown);
  const std::uint64_t implicit = pool.implicit_puts + pool.implicit_gets;
  if (implicit != 0)
    warn(
        "%llu implicit non-blocking operations were never synchronised, the last %s; call "
        "upcr_wait_syncnbi_all",
        static_cast<unsigned long long>(implicit), SiteText(pool.last_implicit).text);
}

#endif

}  // namespace upcr
