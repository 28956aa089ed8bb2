// SPDX-License-Identifier: BSD-3-Clause
// Buffers for collectives on values in UPC source (allv.h, upcr_preinclude/bupc_collectivev.h), whose
// macros cannot declare objects of their own. Buffers in use form a stack, since the expression of a value
// may contain another such call. A freed buffer is reused after all other free ones: compilers may read a
// result after the next call of the same expression.
#include <cstdlib>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/allv.h"

namespace upcr::coll {
namespace {

constexpr std::size_t kBuffers = 64;

class ValueBuffers {
 public:
  ~ValueBuffers() {
    for (Buffer& buffer : buffers_) std::free(buffer.memory);
  }

  void* open(std::size_t bytes) {
    for (std::size_t looked = 0; looked < kBuffers; ++looked) {
      Buffer& buffer = buffers_[next_++ % kBuffers];
      if (buffer.open) continue;
      if (buffer.bytes < bytes || buffer.memory == nullptr) buffer.grow(bytes);
      buffer.open = true;
      stack_.push_back(&buffer);
      return buffer.memory;
    }
    fatal("bupc_allv_*: more than %zu such calls are nested in one expression", kBuffers);
  }

  void* take() {
    if (stack_.empty())
      fatal("bupc_allv_*: no value was stored before the call; the macros of bupc_collectivev.h do both");
    Buffer* const buffer = stack_.back();
    stack_.pop_back();
    buffer->open = false;
    return buffer->memory;
  }

 private:
  struct Buffer {
    void* memory = nullptr;
    std::size_t bytes = 0;
    bool open = false;

    void grow(std::size_t wanted) {
      std::free(memory);
      bytes = wanted < 64 ? 64 : wanted;
      memory = std::malloc(bytes);
      if (memory == nullptr) fatal("bupc_allv_*: no memory for a value of %zu bytes", wanted);
    }
  };

  Buffer buffers_[kBuffers];
  std::size_t next_ = 0;
  std::vector<Buffer*> stack_;
};

ValueBuffers& mine() {
  static thread_local ValueBuffers buffers;
  return buffers;
}

}  // namespace
}  // namespace upcr::coll

extern "C" {

void* upcri_allv_value(size_t bytes) { return upcr::coll::mine().open(bytes); }

void* upcri_allv_taken(void) { return upcr::coll::mine().take(); }

}  // extern "C"
