// SPDX-License-Identifier: BSD-3-Clause
// Variables of Berkeley UPC and of the GASNet under it that scripts set and upcr has no use for. They are
// declared, so that a misspelt name beside them is noticed and the manual has them.
#pragma once

namespace upcr {

// Says what to use instead of those that are set and ask for a result that upcr does not give. One process
// calls it, after start_job().
void warn_about_legacy_variables();

}  // namespace upcr
