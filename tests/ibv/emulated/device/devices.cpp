// SPDX-License-Identifier: BSD-3-Clause
// The list of devices; opening and closing them.
#include <dirent.h>
#include <endian.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tests/ibv/emulated/device/attributes.hpp"
#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/ports.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"
#include "tests/ibv/emulated/objects/shared_receive_queues.hpp"
#include "tests/ibv/emulated/objects/xrc.hpp"
#include "tests/ibv/emulated/requests/post.hpp"

namespace emulated {
namespace {

// They live as long as the process: contexts point to them.
DeviceHandle* device_handle(unsigned number) {
  static DeviceHandle devices[kMaxDevices];
  DeviceHandle& device = devices[number];
  device.number = static_cast<std::uint8_t>(number);
  device.node_type = IBV_NODE_CA;
  device.transport_type = IBV_TRANSPORT_IB;
  std::snprintf(device.name, sizeof device.name, "emu%u", number);
  std::snprintf(device.dev_name, sizeof device.dev_name, "uverbs%u", number);
  std::snprintf(device.dev_path, sizeof device.dev_path, "/sys/class/infiniband_verbs/uverbs%u", number);
  std::snprintf(device.ibdev_path, sizeof device.ibdev_path, "/sys/class/infiniband/emu%u", number);
  return &device;
}

void set_operations(verbs_context* verbs) {
  verbs->sz = sizeof *verbs;
  verbs->query_port = &query_port;
  verbs->query_device_ex = &query_device_ex;
  verbs->create_qp_ex = &create_qp_ex;
  verbs->create_srq_ex = &create_srq_ex;
  verbs->get_srq_num = &get_srq_num;
  if (settings().xrc) {
    verbs->open_qp = &open_qp;
    verbs->open_xrcd = &open_xrcd;
    verbs->close_xrcd = &close_xrcd;
  }
  ibv_context_ops& ops = verbs->context.ops;
  ops.poll_cq = &poll_cq;
  ops.req_notify_cq = &req_notify_cq;
  ops.post_send = &post_send;
  ops.post_recv = &post_recv;
  ops.post_srq_recv = &post_srq_recv;
  verbs->context.abi_compat = __VERBS_ABI_IS_EXTENDED;
}

}  // namespace

DeviceContext* DeviceContext::of(ibv_context* context) noexcept {
  return reinterpret_cast<DeviceContext*>(reinterpret_cast<char*>(context) - offsetof(DeviceContext, verbs) -
                                          offsetof(verbs_context, context));
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" {

ibv_device** ibv_get_device_list(int* count) {
  const unsigned devices = settings().directory.empty() ? 0 : settings().devices;
  auto** list = new ibv_device*[devices + 1];
  for (unsigned i = 0; i < devices; ++i) list[i] = device_handle(i);
  list[devices] = nullptr;
  if (count != nullptr) *count = static_cast<int>(devices);
  return list;
}

void ibv_free_device_list(ibv_device** list) { delete[] list; }

const char* ibv_get_device_name(ibv_device* device) { return device->name; }

int ibv_get_device_index(ibv_device* device) { return static_cast<DeviceHandle*>(device)->number; }

__be64 ibv_get_device_guid(ibv_device* device) {
  return htobe64(0x020000fffe000000 | static_cast<DeviceHandle*>(device)->number << 8);
}

ibv_context* ibv_open_device(ibv_device* device) {
  auto* opened = new DeviceContext{};
  opened->number = static_cast<DeviceHandle*>(device)->number;
  set_operations(&opened->verbs);
  ibv_context& context = opened->verbs.context;
  context.device = device;
  context.cmd_fd = -1;
  context.num_comp_vectors = 1;
  ::pthread_mutex_init(&context.mutex, nullptr);
  Guard guard;
  make_ports(guard.fabric(), opened->number);
  Context* entry = guard.shared().contexts.take(guard.fabric().process());
  if (entry != nullptr) opened->channel = open_channel(guard.fabric(), &context.async_fd);
  if (opened->channel == 0) {
    if (entry != nullptr) entry->used = false;
    delete opened;
    errno = ENOMEM;
    return nullptr;
  }
  entry->device = opened->number;
  entry->channel = opened->channel;
  opened->id = entry->id;
  return &context;
}

int ibv_close_device(ibv_context* context) {
  DeviceContext* opened = DeviceContext::of(context);
  Guard guard;
  if (Context* entry = guard.shared().contexts.find(opened->id); entry != nullptr) entry->used = false;
  close_channel(guard.fabric(), opened->channel, context->async_fd);
  delete opened;
  return 0;
}

// The memory of a child of fork() is its own; nothing has to be done.
int ibv_fork_init(void) { return 0; }
enum ibv_fork_status ibv_is_fork_initialized(void) { return IBV_FORK_UNNEEDED; }

}  // extern "C"
