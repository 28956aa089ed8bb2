// SPDX-License-Identifier: BSD-3-Clause
// The C of programs and of single statements, for tests of its shape.
#pragma once
#include <string>
#include <string_view>

#include "tools/upc2c/driver.hpp"

// The C of a whole preprocessed text, "test.upc"; a text with errors fails the test that calls this.
std::string translated(const std::string& preprocessed_text);
// What a statement becomes in a function that stands behind these declarations: one line, blanks squeezed.
// "error: ..." if the text has errors.
std::string lowered(const std::string& declarations, const std::string& statement,
                    const upc2c::TranslateOptions& options = {});
// How often a word occurs: "upcr_add_shared" is not in "upcr_add_shared1".
int count(std::string_view text, std::string_view word);
