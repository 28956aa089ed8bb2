// SPDX-License-Identifier: BSD-3-Clause
// The signals that end a GASNet program. Set up by install_signals(); these are for face.cpp and exit.cpp.
#pragma once

namespace upcr::gasnet {

// GASNET_NO_CATCH_SIGNAL leaves this one alone? Reads the environment.
bool left_alone(int signal);
// The client has a SIGQUIT handler of its own.
bool client_catches_quit();
// "SEGV", "SIGSEGV" or "11"; 0 when it is none.
int signal_number(const char* text);
const char* signal_name(int signal);  // "SIGSEGV"

}  // namespace upcr::gasnet
