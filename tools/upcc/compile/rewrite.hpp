// SPDX-License-Identifier: BSD-3-Clause
// The text that the C compiler reads instead of the translator's output. Line numbers, and with them the
// compiler's messages and debug information, stay those of the original.
#pragma once
#include "tools/upcc/options/options.hpp"
#include "tools/upcc/scan/scan.hpp"

namespace upcc {

std::string rewritten(const std::string& path, const std::string& text, const std::vector<Token>& tokens,
                      const SourceInfo& scan, const Options& options);
// What follows the text: identification, and the note that upcc reads when linking.
std::string appendix(const std::string& path, const SourceInfo& scan, const Options& options);

// The folders that an absolute include of a missing user header is looked for in: the source's, and -I.
Words user_include_dirs(const std::string& path, const Options& options);

}  // namespace upcc
