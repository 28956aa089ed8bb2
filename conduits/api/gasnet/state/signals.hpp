// SPDX-License-Identifier: BSD-3-Clause
// The signals that end a GASNet program. Set up by install_signals(); these are for client_api.cpp and
// exit.cpp.
#pragma once

namespace upcr::gasnet {

// Whether GASNET_NO_CATCH_SIGNAL names this signal. Reads the environment.
bool is_excluded(int signal);
// Whether the client has a SIGQUIT handler.
bool client_catches_quit();
// The number of "SEGV", "SIGSEGV" or "11"; 0 when the text is no signal.
int signal_number(const char* text);
const char* signal_name(int signal);  // "SIGSEGV"

}  // namespace upcr::gasnet
