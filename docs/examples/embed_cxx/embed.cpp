// SPDX-License-Identifier: BSD-3-Clause
// UPC shared memory in a C++17 program with a main() of its own. bupc_init_reentrant() runs the program on
// every UPC thread, whether threads are processes or pthreads, so nothing here is a global.
//
//     upcc --extern-main --link-with g++ embed.cpp -o embed && upcrun -n 4 ./embed
#include <upcr.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

// An array of T in blocks dealt round robin to the threads. Collective: made and destroyed by all of them.
template <typename T>
class BlockedArray {
 public:
  explicit BlockedArray(std::size_t block)
      : block_(block), start_(upcr_all_alloc(upcr_threads(), block * sizeof(T))) {}
  ~BlockedArray() { upcr_all_free(start_); }
  BlockedArray(const BlockedArray&) = delete;
  BlockedArray& operator=(const BlockedArray&) = delete;

  std::size_t size() const { return block_ * upcr_threads(); }
  void put(std::size_t i, const T& value) { upcr_put_shared(at(i), 0, &value, sizeof value); }
  T get(std::size_t i) const {
    T value;
    upcr_get_shared(&value, at(i), 0, sizeof value);
    return value;
  }
  // The block of one thread, copied.
  std::vector<T> block_of(upcr_thread_t thread) const {
    std::vector<T> values(block_);
    upcr_memget(values.data(), at(block_ * thread), block_ * sizeof(T));
    return values;
  }

 private:
  upcr_shared_ptr_t at(std::size_t i) const {
    return upcr_add_shared(start_, sizeof(T), static_cast<std::ptrdiff_t>(i), block_);
  }
  std::size_t block_;
  upcr_shared_ptr_t start_;
};

void barrier() { upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS); }

struct Point {
  int owner;
  double x;
};

int program(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::size_t block = arguments.empty() ? 50 : std::stoul(arguments[0]);
  const int me = static_cast<int>(upcr_mythread());

  const auto points = std::make_unique<BlockedArray<Point>>(block);
  // Every thread writes every THREADS-th element, wherever that is.
  for (std::size_t i = upcr_mythread(); i < points->size(); i += upcr_threads())
    points->put(i, Point{me, 0.5 * static_cast<double>(i)});
  barrier();

  int wrong = 0;
  for (std::size_t i = 0; i < points->size(); ++i) {
    const Point p = points->get(i);
    if (p.owner != static_cast<int>(i % upcr_threads()) || p.x != 0.5 * static_cast<double>(i)) ++wrong;
  }
  const std::vector<Point> last = points->block_of(upcr_threads() - 1);
  if (!std::is_sorted(last.begin(), last.end(), [](const Point& a, const Point& b) { return a.x < b.x; }))
    ++wrong;
  barrier();

  BlockedArray<int> mistakes(1);
  mistakes.put(upcr_mythread(), wrong);
  barrier();
  int all = 0;
  for (std::size_t i = 0; i < mistakes.size(); ++i) all += mistakes.get(i);
  if (me == 0) {
    if (all == 0)
      std::printf("done: a C++ program and %zu points a thread\n", block);
    else
      std::printf("FAILED: %d points\n", all);
  }
  barrier();
  return all != 0;
}

}  // namespace

int main(int argc, char** argv) { bupc_init_reentrant(&argc, &argv, &program); }
