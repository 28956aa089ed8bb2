// SPDX-License-Identifier: BSD-3-Clause
// Wakes the sleeping threads of a process when something arrives from the network: a thread that waits in the
// kernel for the conduit's descriptor (Conduit::wait_fd) and rings the process's doorbells. So a thread that
// waits sleeps in one place, whoever wakes it: a neighbour by its doorbell, the network by this thread.
//
// The thread costs nothing while nobody sleeps: it is told of the descriptor once for each watch() (the
// kernel's one-shot events), and it never touches the conduit.
//
// Why no wake-up is lost. A sleeper, in this order,
//   1. announces itself on its doorbell, so that every later ring counts;
//   2. asks the conduit for the descriptor (AmEngine::arm), which fails when there is work already;
//   3. calls watch();
//   4. waits for its doorbell.
// What arrives before 2 makes 2 fail. What arrives between 2 and 3 makes the descriptor readable, and watch()
// finds it so. What arrives after 3 wakes the thread, which rings after 1, so 4 returns. When another
// sleeper's arm() takes the readable descriptor away before this thread has seen it, that arm() fails, and
// its caller polls; whoever polls and takes something rings all threads of the process
// (AmEngine::Config::took), and whoever is rung looks, finds the rest or nothing, and arms anew. A ring that
// comes too early (somebody else had the work) costs a look.
#pragma once

namespace upcr {

// `fd`: what to wait for. `ring` is called on the thread. After the conduit's attach, before its detach.
void start_network_bell(int fd, void (*ring)());
void stop_network_bell();
// From now until the descriptor is readable once: ring. Any thread, after arm().
void watch_network() noexcept;

}  // namespace upcr
