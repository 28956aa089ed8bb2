// SPDX-License-Identifier: BSD-3-Clause
// Opens a device: its protection domain and its limits.
#include "conduits/net/ibv/device/device.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/net/ibv/device/sysfs.hpp"

namespace upcr::ibv {
namespace {

// Bytes that a work request may carry in itself. More make every entry of a send queue larger, and there is a
// send queue for each peer; these are enough for a message of 16 arguments.
constexpr std::uint32_t kInlineWanted = 128, kInlineStep = 16;
// Reads outstanding at one peer; both ends keep state for each. More do not use a link better.
constexpr std::uint32_t kMaxReads = 32;

}  // namespace

Device::Device(ibv_context* context, unsigned index)
    : context_(context), name_(::ibv_get_device_name(context->device)), index_(index) {
  pd_ = ::ibv_alloc_pd(context_);
  if (pd_ == nullptr)
    fatal(
        "device %s: no protection domain can be created: %s; other processes may have used them up (rdma "
        "resource)",
        name(), std::strerror(errno));
  query();
  try_inline();
}

Device::~Device() {
  close_xrcd();
  if (const int error = ::ibv_dealloc_pd(pd_); error != 0)
    warn("device %s: the protection domain is still in use: %s", name(), std::strerror(error));
}

int Device::open_xrcd(int file) {
  ibv_xrcd_init_attr attributes{};
  attributes.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
  attributes.fd = file;
  attributes.oflags = O_CREAT;
  errno = EOPNOTSUPP;
  xrcd_ = ::ibv_open_xrcd(context_, &attributes);
  return xrcd_ != nullptr ? 0 : errno;
}

void Device::close_xrcd() {
  if (xrcd_ == nullptr) return;
  if (const int error = ::ibv_close_xrcd(xrcd_); error != 0)
    warn("device %s: the XRC domain is still in use: %s", name(), std::strerror(error));
  xrcd_ = nullptr;
}

void Device::query() {
  ibv_device_attr a{};
  if (const int error = ::ibv_query_device(context_, &a); error != 0)
    fatal("device %s: its limits cannot be read: %s", name(), std::strerror(error));
  const auto positive = [](int value) { return static_cast<std::uint32_t>(std::max(value, 0)); };
  Limits& l = limits_;
  l.iwarp = context_->device->transport_type == IBV_TRANSPORT_IWARP;
  l.max_sge = std::max(positive(a.max_sge), 1U);
  l.max_read_sge = l.iwarp ? 1 : std::clamp(positive(a.max_sge_rd), 1U, l.max_sge);
  l.read_depth = std::clamp(positive(std::min(a.max_qp_rd_atom, a.max_qp_init_rd_atom)), 1U, kMaxReads);
  l.max_send = positive(a.max_qp_wr);
  l.max_completions = positive(a.max_cqe);
  l.max_queue_pairs = positive(a.max_qp);
  l.max_regions = positive(a.max_mr);
  l.max_region = a.max_mr_size != 0 ? a.max_mr_size : ~std::uint64_t{0};
  l.xrc = (a.device_cap_flags & IBV_DEVICE_XRC) != 0;
  l.atomics = a.atomic_cap != IBV_ATOMIC_NONE;
  l.atomics_coherent = a.atomic_cap == IBV_ATOMIC_GLOB;
  l.software = is_software(name_, a);
  l.words_by_kernel_copy = l.software && kernel_copies_bytes();
  choose_access();
  find_paging();
  choose_srq(a);
  l.max_message = 1U << 31;
  for (unsigned n = 1; n <= a.phys_port_cnt; ++n) {
    ibv_port_attr port{};
    if (::ibv_query_port(context_, static_cast<std::uint8_t>(n), &port) == 0 && port.max_msg_sz != 0)
      l.max_message = std::min<std::uint64_t>(l.max_message, port.max_msg_sz);
  }
}

// A write with relaxed ordering may overtake others on its way to memory, a completion does not: what a
// completion reports is there. A peer that polls memory has no completion, and expects the order of strict
// writes. libibverbs leaves the flag out where the kernel or the device does not know it.
void Device::choose_access() {
  const std::string relaxed = config_string("UPCR_IBV_RELAXED_ORDERING");
  Limits& l = limits_;
  l.private_access = IBV_ACCESS_LOCAL_WRITE;
  if (l.iwarp) l.private_access |= IBV_ACCESS_REMOTE_WRITE;  // the peer writes the destination of a read
  l.segment_access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
  if (l.atomics) l.segment_access |= IBV_ACCESS_REMOTE_ATOMIC;
  if (relaxed != "no") l.private_access |= IBV_ACCESS_RELAXED_ORDERING;
  if (relaxed == "all") l.segment_access |= IBV_ACCESS_RELAXED_ORDERING;
}

void Device::find_paging() {
  constexpr std::uint32_t kWanted = IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ;
  ibv_device_attr_ex a{};
  if (::ibv_query_device_ex(context_, nullptr, &a) != 0) return;
  const bool general = (a.odp_caps.general_caps & IBV_ODP_SUPPORT) != 0;
  limits_.on_demand = general && (a.odp_caps.per_transport_caps.rc_odp_caps & kWanted) == kWanted;
  limits_.on_demand_xrc = general && (a.xrc_odp_caps & kWanted) == kWanted;
}

void Device::choose_srq(const ibv_device_attr& a) {
  const bool has = a.max_srq > 0 && a.max_srq_wr > 0 && a.max_srq_sge > 0;
  const char* setting = config_string("UPCR_IBV_SRQ");
  if (!has && std::strcmp(setting, "yes") == 0)
    fatal_setting(
        "UPCR_IBV_SRQ=yes, but device %s has no shared receive queues; UPCR_IBV_SRQ=auto uses them where "
        "there are",
        name());
  limits_.srq = has && std::strcmp(setting, "no") != 0;
  limits_.max_receives = limits_.srq ? static_cast<std::uint32_t>(a.max_srq_wr) : 0;
  const auto most = static_cast<std::uint32_t>(config_int("UPCR_IBV_SRQ_SIZE"));
  if (most != 0) limits_.max_receives = std::min(limits_.max_receives, most);
}

// Devices do not report how many bytes they send inline; queue pairs do.
void Device::try_inline() {
  ibv_cq* cq = ::ibv_create_cq(context_, 1, nullptr, nullptr, 0);
  if (cq == nullptr) fatal("device %s: no completion queue can be created: %s", name(), std::strerror(errno));
  int error = 0;
  for (std::uint32_t size = kInlineWanted;; size -= kInlineStep) {
    ibv_qp_init_attr attributes{};
    attributes.send_cq = attributes.recv_cq = cq;
    attributes.qp_type = IBV_QPT_RC;
    attributes.cap = {1, 1, 1, 1, size};
    ibv_qp* qp = ::ibv_create_qp(pd_, &attributes);
    error = errno;
    if (qp != nullptr) {
      limits_.max_inline = attributes.cap.max_inline_data;
      ::ibv_destroy_qp(qp);
      error = 0;
    }
    if (qp != nullptr || size == 0) break;
  }
  ::ibv_destroy_cq(cq);
  if (error != 0) fatal("device %s: no reliable queue pair can be created: %s", name(), std::strerror(error));
}

std::string Device::describe() const {
  const Limits& l = limits_;
  char message[32];
  std::string all = name_ + ": messages of " + format_size(l.max_message, message, sizeof message) + ", " +
                    std::to_string(l.max_sge) + " pieces (" + std::to_string(l.max_read_sge) +
                    " for reads), " + std::to_string(l.max_inline) + " bytes inline, " +
                    std::to_string(l.read_depth) + " reads outstanding, queues of " +
                    std::to_string(l.max_send) + " sends";
  all += l.srq ? " and " + std::to_string(l.max_receives) + " shared receives" : ", no shared receives";
  all += ", " + std::to_string(l.max_completions) + " completions";
  all += l.xrc ? ", XRC" : ", no XRC";
  if (l.on_demand) all += ", pages on demand";
  all += !l.atomics           ? ", no atomics"
         : l.atomics_coherent ? ", atomics coherent with processors'"
                              : ", atomics of its own";
  return all;
}

}  // namespace upcr::ibv
