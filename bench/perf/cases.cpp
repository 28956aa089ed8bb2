// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/cases.hpp"

#include <cstring>
#include <memory>

#include "bench/perf/messages.hpp"
#include "bench/perf/network_cases.hpp"
#include "bench/perf/scattered.hpp"

namespace perf {
namespace {

constexpr std::uint64_t kWarmUp = 16;

class Builder {
 public:
  Builder(const Crew& crew, References& references) : crew_(crew), references_(references) {}

  std::vector<Case> build() {
    accesses();
    copies(4096, "4k");
    copies(65536, "64k");
    copies(1u << 20, "1m");
    scattered(8, "");
    scattered(64, "_64");
    if (crew_.has_partner() && crew_.agree(in_other_process(crew_.partner())) != 0) {
      messages("am_short", 0);
      messages("am_512", 512);
      messages("am_4k", 4096);
    }
    barriers();
    collectives();
    reductions();
    locks();
    add_network_cases(crew_, cases_);
    return std::move(cases_);
  }

 private:
  using Reference = double (References::*)(std::uint64_t);

  // Where the partner's memory is mapped an access is compared with the machine's own, else with a round
  // trip.
  void access(const char* name, const char* summary, Burst test, const char* machine, Reference reference) {
    if (crew_.agree(crew_.target_here() != nullptr) != 0)
      add(
          name, summary, std::move(test), machine,
          [this_ = &references_, reference](std::uint64_t n) { return (this_->*reference)(n); }, 8);
    else
      add_with_ping_pong(name, summary, std::move(test), 8);
  }
  void add(std::string name, std::string summary, Burst test, std::string reference_name, Burst reference,
           std::size_t bytes = 0) {
    cases_.push_back({std::move(name), std::move(summary), std::move(test), std::move(reference_name),
                      std::move(reference), bytes});
  }
  void add_with_ping_pong(std::string name, std::string summary, Burst test, std::size_t bytes = 0) {
    if (references_.can_ping_pong())
      add(
          std::move(name), std::move(summary), std::move(test), "ping-pong",
          [r = &references_](std::uint64_t n) { return r->ping_pong(n); }, bytes);
    else
      add(std::move(name), std::move(summary), std::move(test), "", {}, bytes);
  }

  void accesses() {
    const upcr_pshared_ptr_t target = upcr_shared_to_pshared(crew_.target());
    access("put", "upcr_put_pshared_val, 8 bytes",
           alone(crew_,
                 [target](std::uint64_t n) {
                   for (std::uint64_t i = 0; i < n; ++i)
                     upcr_put_pshared_val(target, static_cast<std::ptrdiff_t>((i & 511) * 8), i, 8);
                 }),
           "stores", &References::stores);
    access("get", "upcr_get_pshared_val, 8 bytes",
           alone(crew_,
                 [target](std::uint64_t n) {
                   std::uint64_t sum = 0;
                   for (std::uint64_t i = 0; i < n; ++i)
                     sum += upcr_get_pshared_val(target, static_cast<std::ptrdiff_t>((i & 511) * 8), 8);
                   volatile std::uint64_t keep = sum;
                   (void)keep;
                 }),
           "loads", &References::loads);
    access("put_nbi", "upcr_put_nbi_pshared_val, 8 bytes, synced every 64",
           alone(crew_,
                 [target](std::uint64_t n) {
                   for (std::uint64_t i = 1; i <= n; ++i) {
                     upcr_put_nbi_pshared_val(target, static_cast<std::ptrdiff_t>((i & 511) * 8), i, 8);
                     if (i % 64 == 0) upcr_wait_syncnbi_puts();
                   }
                   upcr_wait_syncnbi_puts();
                 }),
           "stores", &References::stores);
  }

  void copies(std::size_t bytes, const char* size) {
    const upcr_shared_ptr_t target = crew_.target();
    const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
    add(
        std::string("memput_") + size, "upcr_memput, " + std::to_string(bytes) + " bytes",
        alone(crew_,
              [=](std::uint64_t n) {
                for (std::uint64_t i = 0; i < n; ++i) upcr_memput(target, buffer->data(), bytes);
              }),
        "memcpy", [r = &references_, bytes](std::uint64_t n) { return r->copies_out(n, bytes); }, bytes);
    add(
        std::string("memget_") + size, "upcr_memget, " + std::to_string(bytes) + " bytes",
        alone(crew_,
              [=](std::uint64_t n) {
                for (std::uint64_t i = 0; i < n; ++i) upcr_memget(buffer->data(), target, bytes);
              }),
        "memcpy", [r = &references_, bytes](std::uint64_t n) { return r->copies_in(n, bytes); }, bytes);
  }

  void scattered(std::size_t elem, const char* suffix) {
    const auto s = std::make_shared<Scattered>(crew_, elem);
    const auto compare = [&](const char* name, const char* what, void (Scattered::*test)(std::uint64_t),
                             void (Scattered::*plain)(std::uint64_t)) {
      const auto burst = [&](void (Scattered::*work)(std::uint64_t)) {
        return alone(crew_, [s, work](std::uint64_t n) { ((*s).*work)(n); });
      };
      add(std::string(name) + suffix, std::string(what) + std::to_string(elem) + " bytes, 64 KiB",
          burst(test), "plain loop", burst(plain));
    };
    compare("strided", "bupc_memput_strided2d, every second ", &Scattered::strided,
            &Scattered::plain_strided);
    compare("indexed", "bupc_memput_ilist to shuffled places of ", &Scattered::indexed,
            &Scattered::plain_indexed);
    compare("vector", "bupc_memput_vlist, regions of 1 to 4 times ", &Scattered::vector,
            &Scattered::plain_vector);
  }

  void messages(const char* name, std::size_t bytes) {
    if (bytes > largest_medium()) return;
    const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
    Burst test = [&crew = crew_, buffer](std::uint64_t n) {
      if (!crew.takes_part()) return 1.0;
      if (!crew.leads()) {
        serve(n + kWarmUp);
        return 1.0;
      }
      ask(crew.partner(), buffer->data(), buffer->size(), kWarmUp);
      const double start = now_ns();
      ask(crew.partner(), buffer->data(), buffer->size(), n);
      return now_ns() - start;
    };
    const std::string summary = bytes == 0
                                    ? "Short request and reply"
                                    : "Medium request and reply, " + std::to_string(bytes) + " bytes each";
    if (bytes == 0 || !references_.can_ping_pong())
      add_with_ping_pong(name, summary, std::move(test));
    else
      add(name, summary, std::move(test), "ping-pong with copies",
          [r = &references_, bytes](std::uint64_t n) { return r->ping_pong_copy(n, bytes); });
  }

  void barriers() {
    add_with_ping_pong("barrier", "upcr_barrier of all threads", [&crew = crew_](std::uint64_t n) {
      for (std::uint64_t i = 0; i < kWarmUp; ++i) crew.barrier();
      const double start = now_ns();
      for (std::uint64_t i = 0; i < n; ++i) crew.barrier();
      return now_ns() - start;
    });
  }

  // All threads, both flags ALLSYNC.
  void collectives() {
    constexpr std::size_t kBytes = 1024;
    const upcr_shared_ptr_t src = upcr_all_alloc(crew_.threads(), crew_.threads() * kBytes);
    const upcr_shared_ptr_t dst = upcr_all_alloc(crew_.threads(), crew_.threads() * kBytes);
    using Call = void (*)(upcr_shared_ptr_t, upcr_shared_ptr_t, std::size_t, int);
    const auto measure = [&](const char* name, const char* summary, Call call) {
      add_with_ping_pong(name, summary, [&crew = crew_, src, dst, call](std::uint64_t n) {
        for (std::uint64_t i = 0; i < kWarmUp; ++i) call(dst, src, kBytes, 0);
        crew.barrier();
        const double start = now_ns();
        for (std::uint64_t i = 0; i < n; ++i) call(dst, src, kBytes, 0);
        return now_ns() - start;
      });
    };
    measure("broadcast", "upc_all_broadcast, 1024 bytes", bupc_all_broadcast);
    measure("gather_all", "upc_all_gather_all, 1024 bytes of each thread", bupc_all_gather_all);
    measure("exchange", "upc_all_exchange, 1024 bytes for each thread", bupc_all_exchange);
  }

  // One double a thread, and so many that the sum over each thread's part is what takes the time.
  void reductions() {
    const auto sum = [&crew = crew_](std::size_t each) {
      const std::size_t bytes = each * sizeof(double);
      const upcr_shared_ptr_t from = upcr_all_alloc(crew.threads(), bytes),
                              to = upcr_all_alloc(crew.threads(), 8);
      std::memset(upcr_shared_to_local(
                      upcr_add_shared(from, 1, static_cast<std::ptrdiff_t>(crew.me() * bytes), bytes)),
                  0, bytes);
      crew.barrier();
      return [=, &crew](std::uint64_t n) {
        const auto reduce = [&](std::uint64_t times) {
          for (std::uint64_t i = 0; i < times; ++i)
            bupc_all_reduce_allD(to, from, 1 /* UPC_ADD */, each * crew.threads(), each, nullptr,
                                 UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC);
        };
        reduce(kWarmUp);
        const double start = now_ns();
        reduce(n);
        return now_ns() - start;
      };
    };
    add_with_ping_pong("reduce_all", "bupc_all_reduce_allD, one element a thread", sum(1));
    constexpr std::size_t kBytes = 65536;
    add("reduce_all_64k", "bupc_all_reduce_allD, 64 KiB of each thread", sum(kBytes / sizeof(double)),
        "memcpy", [r = &references_](std::uint64_t n) { return r->copies_in(n, kBytes); });
  }

  void locks() {
    const upcr_shared_ptr_t lock = upcr_all_lock_alloc();
    const auto cycle = [lock](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) {
        upcr_lock(lock);
        upcr_unlock(lock);
      }
    };
    add("lock", "upcr_lock and upcr_unlock, nobody else wants it", alone(crew_, cycle), "mutex",
        [r = &references_](std::uint64_t n) { return r->mutexes(n); });
    if (crew_.threads() == 1) return;
    add_with_ping_pong("lock_all", "the same wanted by all threads, time of one turn of each",
                       [&crew = crew_, cycle](std::uint64_t n) {
                         const double start = now_ns();
                         cycle(n);
                         crew.barrier();
                         return now_ns() - start;
                       });
  }

  const Crew& crew_;
  References& references_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> make_cases(const Crew& crew, References& references) {
  return Builder(crew, references).build();
}

}  // namespace perf
