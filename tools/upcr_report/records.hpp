// SPDX-License-Identifier: BSD-3-Clause
// Statistics that the UPC threads of a job without an orderly end have left, each in a file.
#pragma once
#include <string>
#include <vector>

namespace upcr_report {

// Whether this is the content of such a file.
bool is_record(const std::string& content);

// What was counted, as the JSON of upcrun --stats=FILE in `file`. Returns the summary for a terminal; throws
// std::runtime_error.
std::string write_statistics(const std::vector<std::string>& records, const std::string& file);

}  // namespace upcr_report
