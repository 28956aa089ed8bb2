// SPDX-License-Identifier: BSD-3-Clause
// The installed client's API, and the parts of messages that it words. Any thread.
#include "conduits/core/base/report/client_api.hpp"

#include <unistd.h>

#include <atomic>

#include "conduits/core/base/report/report_state.hpp"

namespace upcr {
namespace {

std::size_t no_identity(char*, std::size_t) { return 0; }
bool warnings_only_warn() { return false; }

constinit const ClientApi default_client_api{"UPC Runtime error: ", "UPC Runtime warning: ", no_identity,
                                             _exit, warnings_only_warn};
constinit std::atomic<const ClientApi*> current_client_api{&default_client_api};

}  // namespace

void set_client_api(const ClientApi* api) {
  watch_exit();
  current_client_api.store(api, std::memory_order_release);
}
const ClientApi& client_api() { return *current_client_api.load(std::memory_order_acquire); }

void add_identity(SafeText& text, bool with_pid) noexcept {
  char identity[256];
  std::size_t n = client_api().identity(identity, sizeof identity);
  if (n >= sizeof identity) n = sizeof identity - 1;
  if (n == 0 && !with_pid) return;
  text.add(" (").add({identity, n});
  if (with_pid) text.add(n != 0 ? ", pid " : "pid ").add_number(static_cast<std::uint64_t>(getpid()));
  text.add(")");
}

}  // namespace upcr
