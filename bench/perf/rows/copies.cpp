// SPDX-License-Identifier: BSD-3-Clause
// Copies beside what a C program does: contiguous ones, 64 bytes to 64 MiB, beside memcpy between the same
// memory (to private memory where the partner's is not mapped); and 64 KiB in many pieces beside plain loops,
// where the size is that of an element.
#include <cstdlib>
#include <cstring>
#include <memory>

#include "bench/perf/measure/job_facts.hpp"
#include "bench/perf/references/scattered.hpp"
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

constexpr std::size_t kPage = 4096, kHeapForOthers = 24u << 20;  // what other rows may hold

char* pages(std::size_t bytes) {
  void* const p = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (p != nullptr) std::memset(p, 1, bytes);
  return static_cast<char*>(p);
}
struct Free {
  void operator()(char* p) const { std::free(p); }
};
using Pages = std::unique_ptr<char[], Free>;

// One row's memory: made by its first burst, given back when it is measured.
class Copies {
 public:
  Copies(const UpcrThreadTeam& team, std::size_t bytes) : team_(team), bytes_(bytes) {}
  ~Copies() {
    if (here_ != nullptr) upcr_all_free(block_);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  void prepare() {
    if (here_ != nullptr) return;
    block_ = upcr_all_alloc(team_.threads(), bytes_);
    target_ = upcr_add_shared(block_, 1, static_cast<std::ptrdiff_t>(team_.partner() * bytes_), bytes_);
    // Only thread 0 copies; for the others it is the sign that the block is there.
    here_.reset(pages(team_.leads() ? bytes_ : 1));
    there_ = static_cast<char*>(upcr_cast(target_));
    if (team_.leads() && there_ == nullptr) {
      fallback_.reset(pages(bytes_));
      there_ = fallback_.get();
    }
  }
  void put() { upcr_memput(target_, here_.get(), bytes_); }
  void get() { upcr_memget(here_.get(), target_, bytes_); }
  void plain_put() { std::memcpy(there_, here_.get(), bytes_), clobber_memory(); }
  void plain_get() { std::memcpy(here_.get(), there_, bytes_), clobber_memory(); }

 private:
  const UpcrThreadTeam& team_;
  const std::size_t bytes_;
  upcr_shared_ptr_t block_, target_;
  Pages here_, fallback_;
  char* there_ = nullptr;
};

template <void (Copies::*copy)()>
Burst burst(const UpcrThreadTeam& team, const std::shared_ptr<Copies>& copies) {
  return [copies, work = on_leader(team, [c = copies.get()](std::uint64_t n) {
                    for (std::uint64_t i = 0; i < n; ++i) (c->*copy)();
                  })](std::uint64_t n) {
    copies->prepare();
    return work(n);
  };
}

template <void (Copies::*test)(), void (Copies::*plain)()>
void copies(UpcrRows& rows, const char* name, const char* call, std::size_t bytes) {
  const auto memory = std::make_shared<Copies>(rows.team(), bytes);
  rows.add(name, std::string(call) + ", " + std::to_string(bytes) + " bytes",
           burst<test>(rows.team(), memory), "memcpy", burst<plain>(rows.team(), memory), bytes);
  if (bytes + kHeapForOthers > heap_bytes())
    rows.cases().back().why_not = "the shared heap is too small: UPC_SHARED_HEAP_SIZE=" +
                                  std::to_string((bytes + kHeapForOthers) >> 20) + "MB makes room";
}

// ---- many pieces ----

void scattered(UpcrRows& rows, std::size_t elem) {
  const auto s = std::make_shared<Scattered>(rows.team(), elem);
  const auto compare = [&](const char* name, const char* what, void (Scattered::*test)(std::uint64_t),
                           void (Scattered::*plain)(std::uint64_t)) {
    const auto burst = [&](void (Scattered::*work)(std::uint64_t)) {
      return on_leader(rows.team(), [s, work](std::uint64_t n) { ((*s).*work)(n); });
    };
    rows.add(name, std::string(what) + std::to_string(elem) + " bytes, 64 KiB", burst(test), "plain loop",
             burst(plain), elem);
  };
  compare("strided", "bupc_memput_strided2d, every second ", &Scattered::strided, &Scattered::plain_strided);
  compare("indexed", "bupc_memput_ilist to shuffled places of ", &Scattered::indexed,
          &Scattered::plain_indexed);
  compare("vector", "bupc_memput_vlist, regions of ", &Scattered::vector, &Scattered::plain_vector);
  compare("vector_lists", "bupc_memput_vlist, list to list, regions of ", &Scattered::vector_lists,
          &Scattered::plain_vector_lists);
  compare("vector_get", "bupc_memget_vlist, list to list, regions of ", &Scattered::vector_get,
          &Scattered::plain_vector_get);
  compare("vector_gather", "bupc_memget_vlist, many to one, regions of ", &Scattered::vector_gather,
          &Scattered::plain_vector_gather);
  compare("indexed_lists", "bupc_memput_ilist, list to list, places of ", &Scattered::indexed_lists,
          &Scattered::plain_indexed_lists);
  compare("vector_mixed", "bupc_memput_vlist, regions of 1 to 4 times ", &Scattered::vector_mixed,
          &Scattered::plain_vector_mixed);
}

}  // namespace

void add_copies(UpcrRows& rows) {
  for (const std::size_t bytes : {64u, 512u, 4096u, 65536u, 1u << 20, 4u << 20, 16u << 20, 64u << 20}) {
    copies<&Copies::put, &Copies::plain_put>(rows, "put", "upcr_memput", bytes);
    copies<&Copies::get, &Copies::plain_get>(rows, "get", "upcr_memget", bytes);
  }
}

void add_scattered(UpcrRows& rows) {
  scattered(rows, 8);
  scattered(rows, 64);
}

}  // namespace perf
