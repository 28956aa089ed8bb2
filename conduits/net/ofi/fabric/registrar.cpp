// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/fabric/registrar.hpp"

#include "conduits/net/ofi/fabric/check.hpp"

namespace upcr::ofi {

int Registrar::add(void* memory, std::size_t bytes, std::uint64_t access,
                   Registration* registration) noexcept {
  const std::uint64_t key = (mode_ & FI_MR_PROV_KEY) != 0 ? 0 : next_key_++;
  fid_mr* mr = nullptr;
  int error = ::fi_mr_reg(domain_, memory, bytes, access, 0, key, 0, &mr, nullptr);
  if (error != 0) return error;
  if ((mode_ & FI_MR_ENDPOINT) != 0) {
    error = ::fi_mr_bind(mr, &endpoint_->fid, 0);
    if (error == 0) error = ::fi_mr_enable(mr);
    if (error != 0) {
      (void)::fi_close(&mr->fid);
      return error;
    }
  }
  registration->mr = mr;
  return 0;
}

Registration Registrar::add_local(void* memory, std::size_t bytes, std::uint64_t access) {
  Registration registration;
  if (wants_local()) check(add(memory, bytes, access, &registration), "registering memory");
  return registration;
}

int Registrar::add_remote(void* memory, std::size_t bytes, Registration* registration) noexcept {
  return add(memory, bytes, FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE, registration);
}

void Registrar::remove(Registration& registration) {
  if (registration.mr != nullptr) check(::fi_close(&registration.mr->fid), "deregistering memory");
  registration.mr = nullptr;
}

}  // namespace upcr::ofi
