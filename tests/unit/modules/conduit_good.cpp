// SPDX-License-Identifier: BSD-3-Clause
// A conduit module that does nothing, for registry_test: the shape that every module has. MODULE_ABI and
// MODULE_NAME are given when it is compiled. TEST_OBSTACLE_NAME in the environment is why it cannot be used;
// "last resort": it can, if no other one can.
#include <cstdlib>
#include <string>

#include "conduits/core/transport/registry.hpp"

namespace {

class IdleConduit final : public upcr::Conduit {
 public:
  IdleConduit() { caps_.max_medium = 4242; }
  const char* name() const noexcept override { return MODULE_NAME; }
  upcr::Status attach(const upcr::AttachInfo&) override { return upcr::Status::kOk; }
  upcr::Status am_send(upcr::Rank, const upcr::AmPacket&) override { return upcr::Status::kNoResource; }
  unsigned poll(unsigned, upcr::AmSink&) override { return 0; }
  upcr::Status detach() override { return upcr::Status::kOk; }
};

std::unique_ptr<upcr::Conduit> create() { return std::make_unique<IdleConduit>(); }

std::string obstacle(upcr::Preference preference) {
  const char* const text = std::getenv("TEST_OBSTACLE_" MODULE_NAME);
  if (text == nullptr || (std::string(text) == "last resort" && preference == upcr::Preference::kLastResort))
    return {};
  return text;
}

}  // namespace

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
extern "C" const upcr::ConduitModule upcr_conduit_module = {{MODULE_ABI, MODULE_NAME}, create, obstacle};
