// SPDX-License-Identifier: BSD-3-Clause
// The sending half of the engine: requests, replies, fragmentation of Long messages, messages from a process
// to itself.
#include <algorithm>
#include <cstring>

#include "conduits/core/am/context.hpp"
#include "conduits/core/am/engine.hpp"
#include "conduits/core/am/long_message.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/counter_clock.hpp"
#include "conduits/core/base/system/cpu.hpp"
#include "conduits/core/transport/rings/rings.hpp"

namespace upcr {
namespace {

void check_message(const AmMessage& m, std::size_t max_medium) {
#ifdef UPCR_DEBUG
  if (m.args.size() > kMaxAmArgs)
    fatal("an active message has %zu arguments; the most is %u", m.args.size(), kMaxAmArgs);
  if (m.category == AmCategory::kMedium && m.bytes > max_medium)
    fatal("a Medium active message has %zu bytes; the most is %zu", m.bytes, max_medium);
#endif
}

void check_request() {
#ifdef UPCR_DEBUG
  if (AmEngine::in_handler()) fatal("an active-message handler sent a request; handlers may only reply");
#endif
}

std::uint8_t category_flags(AmCategory category) {
  switch (category) {
    case AmCategory::kShort:
      return 0;
    case AmCategory::kMedium:
      return kAmMedium;
    case AmCategory::kLong:
      return kAmLong;
  }
  return 0;
}

}  // namespace

[[gnu::always_inline]] inline AmHeader AmEngine::head(const AmMessage& m, std::uint8_t flags) noexcept {
  return {m.handler, static_cast<std::uint8_t>(m.args.size()),
          static_cast<std::uint8_t>(flags | (m.internal ? kAmInternal : 0)), 0, 0};
}

AmPacket AmEngine::packet(const AmMessage& m, std::uint8_t flags) const {
  AmPacket p;
  p.head = head(m, flags);
  p.args = m.args.data();
  return p;
}

// Can it be sent in the slot of a ring?
inline bool AmEngine::fits_slot(Rank to, const AmMessage& m) const noexcept {
  return rings_ != nullptr && m.category == AmCategory::kShort && rings_->reach(to);
}

template <typename Send>
Status AmEngine::send_when_there_is_room(Send&& send) {
  // No room: the peer can only proceed, and make room, if this process handles its own arrivals.
  for (std::uint32_t idle = 0;;) {
    const Status status = send();
    if (status != Status::kNoResource) return status;
    const unsigned moved = room_wait_ != nullptr ? room_wait_(room_wait_context_, idle) : poll();
    idle = moved == 0 ? idle + 1 : 0;
    if (moved == 0) cpu_relax_or_yield();
  }
}

void AmEngine::send(Rank to, const AmPacket& p) {
  (void)send_when_there_is_room([&] { return conduit_.am_send(to, p); });
}

inline std::uint64_t AmEngine::time_of_send() const noexcept {
  return send_clock_ != nullptr ? send_clock_() : 0;
}

bool AmEngine::request_bulk(Rank to, const AmMessage& m, std::span<const char> prefix, Pending& local) {
  check_request();
  UPCR_ASSERT(m.category == AmCategory::kMedium && prefix.size() <= kMaxBulkPrefix);
  // Who observes messages counts on their order, and the data of this one may arrive after later ones.
  if (to == config_.rank || send_event_ != nullptr) return false;
  AmPacket p = packet(m, kAmMedium);
  p.prefix = prefix.data();
  p.prefix_bytes = prefix.size();
  p.body = m.data;
  p.body_bytes = m.bytes;
  p.head.length = static_cast<std::uint32_t>(prefix.size() + m.bytes);
  return send_when_there_is_room([&] { return conduit_.am_send_bulk(to, p, local); }) !=
         Status::kNotSupported;
}

void AmEngine::prefetch_request(Rank to) const noexcept {
  if (rings_ != nullptr && rings_->reach(to)) rings_->prefetch_request(to);
}

void AmEngine::request(Rank to, const AmMessage& m) {
  check_request();
  check_message(m, max_medium_);
  if (__builtin_expect(send_event_ != nullptr, 0)) return request_observed(to, m);
  if (fits_slot(to, m) && rings_->request_slot(to, head(m, 0), m.args.data())) return;
  request_slow(to, m);
}

void AmEngine::request_observed(Rank to, const AmMessage& m) {
  const std::uint64_t start = time_of_send();
  if (!fits_slot(to, m) || !rings_->request_slot(to, head(m, 0), m.args.data())) request_slow(to, m);
  send_event_(m, true, to, start);
}

void AmEngine::request_slow(Rank to, const AmMessage& m) {
  if (to == config_.rank) return loop_request(m);
  if (m.category == AmCategory::kLong) return request_long(to, m);
  AmPacket p = packet(m, category_flags(m.category));
  p.body = m.data;
  p.body_bytes = m.bytes;
  p.head.length = static_cast<std::uint32_t>(m.bytes);
  send(to, p);
}

Status AmEngine::try_request(Rank to, const AmMessage& m) {
  check_request();
  check_message(m, max_medium_);
  UPCR_ASSERT(m.category != AmCategory::kLong);
  if (to == config_.rank) {
    const std::uint64_t start = time_of_send();
    loop_request(m);
    if (__builtin_expect(send_event_ != nullptr, 0)) send_event_(m, true, to, start);
    return Status::kOk;
  }
  AmPacket p = packet(m, category_flags(m.category));
  p.body = m.data;
  p.body_bytes = m.bytes;
  p.head.length = static_cast<std::uint32_t>(m.bytes);
  if (__builtin_expect(send_event_ == nullptr, 1)) return conduit_.am_send(to, p);
  const std::uint64_t start = time_of_send();
  const Status status = conduit_.am_send(to, p);
  if (status == Status::kOk) send_event_(m, true, to, start);
  return status;
}

bool AmEngine::store_directly(Rank to, const AmMessage& m) const {
  if (m.bytes == 0) return true;
  if (config_.mapped == nullptr) return false;
  void* here = config_.mapped(config_.context, to, m.dest, m.bytes);
  if (here == nullptr) return false;
  std::memcpy(here, m.data, m.bytes);
  return true;
}

void AmEngine::request_long(Rank to, const AmMessage& m) {
  LongPrefix prefix{m.dest, m.bytes, 0, next_long_id_.fetch_add(1, std::memory_order_relaxed), 0};
  AmPacket p = packet(m, kAmLong);
  p.prefix = &prefix;
  p.prefix_bytes = sizeof prefix;
  p.head.length = sizeof prefix;
  if (store_directly(to, m)) {
    prefix.in_place = 1;
    return send(to, p);
  }
  const std::size_t room = max_medium_ - sizeof prefix;
  for (std::size_t at = 0; at < m.bytes; at += p.body_bytes) {
    prefix.offset = at;
    p.body = static_cast<const char*>(m.data) + at;
    p.body_bytes = std::min(room, m.bytes - at);
    p.head.length = static_cast<std::uint32_t>(sizeof prefix + p.body_bytes);
    send(to, p);
  }
}

void AmEngine::reply(AmToken& token, const AmMessage& m) {
#ifdef UPCR_DEBUG
  if (!token.is_request) fatal("a reply handler replied; only the handler of a request may");
  if (token.replied) fatal("an active-message handler replied twice");
#endif
  check_message(m, max_medium_);
  token.replied = true;
  if (__builtin_expect(send_event_ != nullptr, 0)) return reply_observed(token, m);
  if (fits_slot(token.source, m) && rings_->reply_slot(token.source, head(m, kAmReply), m.args.data()))
    return;
  reply_slow(token, m);
}

// Of a reply that is about to leave: when its handler began, if that is known.
inline std::uint64_t AmEngine::time_of_reply(const AmMessage& m) const noexcept {
  const std::uint64_t of_handler = am_context.handler_start;
  return m.internal && send_clock_ != nullptr && of_handler != 0 ? of_handler : time_of_send();
}

void AmEngine::reply_observed(AmToken& token, const AmMessage& m) {
  const Rank to = token.source;
  AmContext& context = am_context;
  std::uint64_t start = context.instant_handler ? 0 : time_of_reply(m);
  if (!fits_slot(to, m) || !rings_->reply_slot(to, head(m, kAmReply), m.args.data())) reply_slow(token, m);
  if (context.instant_handler) start = context.handler_start = counter_now();
  send_event_(m, false, to, start);
}

void AmEngine::reply_slow(AmToken& token, const AmMessage& m) {
  if (token.source == config_.rank) return loop_reply(m);
  if (m.category == AmCategory::kLong) return reply_long(token, m);
  AmPacket p = packet(m, static_cast<std::uint8_t>(category_flags(m.category) | kAmReply));
  p.body = m.data;
  p.body_bytes = m.bytes;
  p.head.length = static_cast<std::uint32_t>(m.bytes);
  if (conduit_.am_send(token.source, p) != Status::kOk)
    fatal("internal error: conduit %s refused a reply to rank %u", conduit_.name(), token.source);
}

void AmEngine::reply_long(AmToken& token, const AmMessage& m) {
  LongPrefix prefix{m.dest, m.bytes, 0, next_long_id_.fetch_add(1, std::memory_order_relaxed), 0};
  const bool in_place = store_directly(token.source, m);
  if (!in_place && m.bytes > max_medium_ - sizeof prefix)
    return long_replies_->add(token.source, packet(m, kAmLong | kAmReply), prefix, m.data, m.bytes);
  prefix.in_place = in_place ? 1 : 0;
  AmPacket p = packet(m, kAmLong | kAmReply);
  p.prefix = &prefix;
  p.prefix_bytes = sizeof prefix;
  p.body = in_place ? nullptr : m.data;
  p.body_bytes = in_place ? 0 : m.bytes;
  p.head.length = static_cast<std::uint32_t>(sizeof prefix + p.body_bytes);
  if (conduit_.am_send(token.source, p) != Status::kOk)
    fatal("internal error: conduit %s refused a reply to rank %u", conduit_.name(), token.source);
}

// A message to this process: the handler runs at once on this thread, as in poll(), then the reply's handler.
void AmEngine::loop_request(const AmMessage& m) {
  AmContext& context = am_context;
  while (config_.multithreaded && !poll_lock_.try_lock()) cpu_relax_or_yield();
  AmToken token{*this, config_.rank, true, false, m.category};
  void* data = nullptr;
  if (m.category == AmCategory::kMedium) {
    data = context.request_buffer.of(max_medium_);
  } else if (m.category == AmCategory::kLong) {
    data = reinterpret_cast<void*>(m.dest);
  }
  if (m.bytes != 0) std::memmove(data, m.data, m.bytes);
  run(token, head(m, category_flags(m.category)), m.args.data(), data, m.bytes);
  if (context.reply.waiting) {
    context.reply.waiting = false;
    AmToken back{*this, config_.rank, false, false, context.reply.category};
    run(back, context.reply.head, context.reply.args, context.reply.dest, context.reply.bytes);
  }
  if (config_.multithreaded) {
    poll_lock_.unlock();
    if (config_.on_handlers_run != nullptr) config_.on_handlers_run(config_.context);
  }
}

void AmEngine::loop_reply(const AmMessage& m) {
  AmContext& context = am_context;
  LoopReply& r = context.reply;
  r.waiting = true;
  r.category = m.category;
  r.head = head(m, static_cast<std::uint8_t>(category_flags(m.category) | kAmReply));
  std::copy(m.args.begin(), m.args.end(), r.args);
  r.bytes = m.bytes;
  r.dest = nullptr;
  if (m.category == AmCategory::kMedium) {
    r.dest = context.reply_buffer.of(max_medium_);
  } else if (m.category == AmCategory::kLong) {
    r.dest = reinterpret_cast<void*>(m.dest);
  }
  if (m.bytes != 0) std::memmove(r.dest, m.data, m.bytes);
}

}  // namespace upcr
