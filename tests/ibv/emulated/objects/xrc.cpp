// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/xrc.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/processes.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"

namespace emulated {
namespace {

// That of a file, on this device; null if there is none.
Domain* find_domain(Shared& s, std::uint8_t device, const struct stat& file) {
  Domain* found = nullptr;
  s.xrcds.for_each([&](Domain& domain) {
    if (domain.device == device && domain.inode == file.st_ino && domain.file_device == file.st_dev)
      found = &domain;
  });
  return found;
}

}  // namespace

void release_unheld(Domain& domain) {
  const auto held = [](std::uint16_t holder) { return holder != 0; };
  if (std::none_of(domain.holders, domain.holders + kMaxProcesses, held)) domain.used = false;
}

// As the kernel: EAGAIN if the file has no domain and O_CREAT is not given, EINVAL for O_EXCL if it has one.
ibv_xrcd* open_xrcd(ibv_context* context, ibv_xrcd_init_attr* attributes) {
  constexpr unsigned kNeeded = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
  errno = EINVAL;
  if ((attributes->comp_mask & kNeeded) != kNeeded) return nullptr;
  struct stat file {};
  if (attributes->fd != -1 && ::fstat(attributes->fd, &file) != 0) return nullptr;
  const std::uint8_t device = DeviceContext::of(context)->number;
  Guard guard;
  Shared& s = guard.shared();
  forget_dead_processes(guard.fabric());  // their domains are gone
  Domain* domain = attributes->fd != -1 ? find_domain(s, device, file) : nullptr;
  errno = EAGAIN;
  if (domain == nullptr && attributes->fd != -1 && (attributes->oflags & O_CREAT) == 0) return nullptr;
  errno = EINVAL;
  if (domain != nullptr && (attributes->oflags & O_EXCL) != 0) return nullptr;
  if (domain == nullptr) {
    errno = ENOMEM;
    domain = s.xrcds.take(guard.fabric().process());
    if (domain == nullptr) return nullptr;
    domain->device = device;
    if (attributes->fd != -1) {
      domain->file_device = file.st_dev;
      domain->inode = file.st_ino;
    }
  }
  ++domain->holders[guard.fabric().process()];
  auto* handle = new DomainHandle{};
  handle->context = context;
  handle->id = domain->id;
  return handle;
}

int close_xrcd(ibv_xrcd* xrcd) {
  auto* handle = static_cast<DomainHandle*>(xrcd);
  Guard guard;
  if (handle->uses != 0) return EBUSY;
  forget_dead_processes(guard.fabric());
  if (Domain* domain = guard.shared().xrcds.find(handle->id); domain != nullptr) {
    --domain->holders[guard.fabric().process()];
    release_unheld(*domain);
  }
  delete handle;
  return 0;
}

// Another handle of an XRC target, which lives until its last handle is destroyed.
ibv_qp* open_qp(ibv_context* context, ibv_qp_open_attr* attributes) {
  constexpr unsigned kNeeded = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE;
  errno = EINVAL;
  if ((attributes->comp_mask & kNeeded) != kNeeded || attributes->qp_type != IBV_QPT_XRC_RECV) return nullptr;
  Guard guard;
  auto* domain = static_cast<DomainHandle*>(attributes->xrcd);
  QueuePair* qp = guard.shared().qps.find(attributes->qp_num);
  if (qp == nullptr || qp->type != IBV_QPT_XRC_RECV || qp->xrcd != domain->id) return nullptr;
  ++qp->holders[guard.fabric().process()];
  auto* handle = new QueuePairHandle{};
  handle->init(context, *qp);
  handle->domain = domain;
  ++domain->uses;
  if ((attributes->comp_mask & IBV_QP_OPEN_ATTR_CONTEXT) != 0) handle->qp_context = attributes->qp_context;
  return handle;
}

}  // namespace emulated
