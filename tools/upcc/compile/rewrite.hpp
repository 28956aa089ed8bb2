// SPDX-License-Identifier: BSD-3-Clause
// The text that the C compiler reads instead of the translator's output. Line numbers, and with them the
// compiler's messages and debug information, stay those of the original.
#pragma once
#include "tools/upcc/options/options.hpp"
#include "tools/upcc/scan/scan.hpp"

namespace upcc {

std::string rewrite_source(const std::string& path, const std::string& text, const std::vector<Token>& tokens,
                           const SourceInfo& source, const Options& options);
// The text to append: identification strings, and the note that upcc reads when it links.
std::string trailer(const std::string& path, const SourceInfo& source, const Options& options);

// The folders in which a header is searched that an #include names by an absolute path which is not there:
// the source's own and those of -I.
Arguments user_include_dirs(const std::string& path, const Options& options);

}  // namespace upcc
