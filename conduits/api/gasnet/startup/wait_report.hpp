// SPDX-License-Identifier: BSD-3-Clause
// What this node waits for, as the control thread sees it while the client runs.
#pragma once
#include <cstdint>
#include <string>

namespace upcr::gasnet {

// For Bootstrap::on_question(): the node's ThreadReport. With several client threads it is that of one that
// waits, if any does.
std::string describe_node();
// For ProgressEngine::on_stall().
bool report_stall(std::int64_t seconds);

}  // namespace upcr::gasnet
