// SPDX-License-Identifier: BSD-3-Clause
// both FIRST SECOND local|global CONDUIT: loads two libraries into one process, and has each of them load the
// module of the conduit. Prints "made CONDUIT with FIRST", "... with SECOND". both.sh reads from the dynamic
// linker which symbol is bound to which library.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace {

// As std::unique_ptr<upcr::Conduit> is returned, and never destroyed here.
struct Owner {
  Owner(const Owner&);
  ~Owner() {}
  void* conduit;
};

template <class Function>
Function* function(void* library, const char* symbol) {
  void* address = dlsym(library, symbol);
  if (address == nullptr) std::printf("FAILED: %s\n", dlerror());
  return reinterpret_cast<Function*>(address);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int scope = std::strcmp(argv[3], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
  void* libraries[2];
  for (int i = 0; i < 2; i++) {
    libraries[i] = dlopen(argv[i + 1], RTLD_NOW | scope);
    if (libraries[i] == nullptr) {
      std::printf("FAILED: %s\n", dlerror());
      return 1;
    }
  }
  for (int i = 0; i < 2; i++) {
    auto* configure = function<void()>(libraries[i], "_ZN4upcr9configureEv");
    auto* make_conduit = function<Owner(const char*)>(libraries[i], "_ZN4upcr12make_conduitEPKc");
    if (configure == nullptr || make_conduit == nullptr) return 1;
    configure();
    const Owner made = make_conduit(argv[4]);
    if (made.conduit == nullptr) return 1;
    std::printf("made %s with %s\n", argv[4], argv[i + 1]);
  }
  std::fflush(stdout);
  return 0;
}
