// SPDX-License-Identifier: BSD-3-Clause
// Types as text: in the words of UPC for messages, and in C for translated text.
#pragma once
#include <string>

#include "tools/upc2c/type/type.hpp"

namespace upc2c {

// "shared [4] int *", "int (*)[10]"; with a name its declaration: "shared [4] int *p". Types without tag and
// typedef name are "struct <unnamed>".
std::string to_upc(QualType type, std::string_view name = {});

// C text that declares `name`, or a type-name. A pointer-to-shared is the typedef name that pts_typedef()
// gives; `type` itself is not shared.
std::string to_c(QualType type, std::string_view name = {});
// The name of the typedef for a pointer to this shared type: upc_p4_double, upc_pI_node, upc_p1_double,
// upc_pG. Different pointees may have one name, if their kinds of pointers are the same.
std::string pts_typedef(QualType pointee);
// The runtime's type behind it: upcr_shared_ptr_t or upcr_pshared_ptr_t.
std::string_view pts_runtime_type(QualType pointee);

}  // namespace upc2c
