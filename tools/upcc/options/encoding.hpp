// SPDX-License-Identifier: BSD-3-Clause
// The numbers that translators bake into C for the flags and operators of collectives: they differ by the
// translator's release, which the file tells in a comment. The compiler is told which it is
// (UPCRI_ENCODING), and the headers convert at each call, so that files of all releases link together.
#pragma once
#include <string>
#include <vector>

#include "tools/upcc/scan/lexer.hpp"

namespace upcc {

struct Encoding {
  const char* name;   // of --encoding
  int number;         // UPCRI_ENCODING
  const char* whose;  // which translators write it
};

// Newest first.
const std::vector<Encoding>& encodings();
// Fatal when there is none of this name.
const Encoding& encoding_named(const std::string& name);

struct EncodingChoice {
  const Encoding* encoding;
  std::string why;
};

// `wanted`: what --encoding gives, or null. Fatal for a file whose operators nobody here knows.
EncodingChoice choose_encoding(const std::string& path, std::string_view text,
                               const std::vector<Token>& tokens, const Encoding* wanted);

}  // namespace upcc
