// SPDX-License-Identifier: BSD-3-Clause
// Path records of InfiniBand in the two forms that librdmacm has: it reports the path that it has found
// unpacked (ibv_sa_path_rec), and takes one as the subnet manager sends it (ibv_path_record: big-endian, with
// fields of some bits). Pure functions; any thread.
#pragma once
#include <infiniband/sa.h>

namespace upcr::ibv {

ibv_path_record packed(const ibv_sa_path_rec& path) noexcept;

// The value of RDMA_OPTION_IB_PATH for a connection that has this path and no other.
ibv_path_data path_option(const ibv_path_record& path) noexcept;

}  // namespace upcr::ibv
