// SPDX-License-Identifier: BSD-3-Clause
// What -Rupc reports of the loops of a statement, for tests of their transformations. The statement stands in
// a function behind declarations of arrays of many layouts and of functions (loop_remarks.cpp).
#pragma once
#include <string>

// The remarks about the statement's loops, without their places and those about reads; one a line. "error:
// ..." if it has errors.
std::string remarks(const std::string& statement, int level = 2, long threads = 0);
// The ends of those that begin with `what`, about objects that are read once or in each iteration.
std::string read_remarks(const std::string& what, const std::string& statement, int level);
// The table of a loop's runs: {size of an element, block size, bytes accessed, how}.
std::string runs(const std::string& statement);
// Whether the C compiler is told that iterations of a loop are independent; false, too, if there are errors.
bool is_told_independent(const std::string& statement);

// The remark of a loop that is not transformed.
std::string general(const std::string& reason);
// Of runs that are not copied where they are not mapped.
std::string general_where_far(const std::string& reason);
// Reasons.
inline constexpr const char* kCalls = "the loop calls functions";
inline constexpr const char* kOthers = "other accesses of the loop may be of the same elements";
