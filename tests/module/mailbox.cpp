// SPDX-License-Identifier: BSD-3-Clause
// Conduit mailbox as a module.
#include "tests/module/mailbox.hpp"

namespace {

std::unique_ptr<upcr::Conduit> create() { return std::make_unique<upcr::test::MailboxConduit>(); }

}  // namespace

extern "C" UPCR_MODULE_API const upcr::ConduitModule upcr_conduit_module;
const upcr::ConduitModule upcr_conduit_module = {{upcr::kConduitAbi, "mailbox"}, create};
