// SPDX-License-Identifier: BSD-3-Clause
// What devices and ports say of themselves: the entries of verbs_context.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>

namespace emulated {

int query_port(ibv_context* context, std::uint8_t number, ibv_port_attr* attributes, std::size_t bytes);
int query_device_ex(ibv_context* context, const ibv_query_device_ex_input* input,
                    ibv_device_attr_ex* attributes, std::size_t bytes);

}  // namespace emulated
