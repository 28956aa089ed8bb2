// SPDX-License-Identifier: BSD-3-Clause
// Shared receive queues, completion queues and their events.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "tests/ibv/emulated/checks/node.hpp"

namespace emulated::checks {
namespace {

constexpr unsigned kA = 0, kB = 1, kReady = 2, kDone = 3, kAgain = 4, kMore = 5;

ibv_srq* make_queue(const Node& node, std::uint32_t most) {
  ibv_srq_init_attr attributes{};
  attributes.attr = {most, 1, 0};
  ibv_srq* srq = ::ibv_create_srq(node.pd, &attributes);
  need(srq != nullptr, "a shared receive queue is created");
  return srq;
}

// A connection of a process with itself.
ibv_qp* loop(Node& node, ibv_srq* srq = nullptr) {
  ibv_qp* qp = node.make(IBV_QPT_RC, srq);
  node.initialise(qp);
  node.connect(qp, node.told(qp));
  return qp;
}

TEST(shared_receives, two_connections_take_them_in_their_order) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    ibv_srq* srq = make_queue(node, 4);
    ibv_qp *first = loop(node, srq), *second = loop(node, srq);
    for (unsigned i = 0; i < 4; ++i) need(receive(srq, memory.piece(64 * i, 64), i) == 0, "posted");
    need(receive(srq, memory.piece(0, 64)) == ENOMEM, "a queue of 4 is full");
    need(receive(first, memory.piece(0, 64)) == EINVAL, "there is no other receive queue");
    need(::ibv_destroy_srq(srq) == EBUSY, "it is in use");
    for (unsigned i = 0; i < 4; ++i) {
      ibv_qp* qp = i % 2 == 0 ? first : second;
      need(send(qp, memory.piece(0, 8), 0) == 0, "posted");
      need(receive(srq, memory.piece(0, 64), 4 + i) == ENOMEM, "until the completion is polled");
      const ibv_wc wc = wait(node.cq);
      need(wc.wr_id == i && wc.qp_num == qp->qp_num, "received");
      need(receive(srq, memory.piece(0, 64), 4 + i) == 0, "now there is room");
    }
  };
  EXPECT_TRUE(all_succeed({alone}));
}

TEST(shared_receives, an_event_tells_that_few_are_left) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    ibv_srq* srq = make_queue(node, 4);
    ibv_qp* qp = loop(node, srq);
    for (int i = 0; i < 4; ++i) need(receive(srq, memory.piece(0, 64)) == 0, "posted");
    ibv_srq_attr attributes{0, 0, 3};
    need(::ibv_modify_srq(srq, &attributes, IBV_SRQ_LIMIT) == 0, "armed");
    need(send(qp, memory.piece(0, 8), 0) == 0 && !is_readable(node.context->async_fd, 20),
         "3 are not fewer than 3");
    need(send(qp, memory.piece(0, 8), 0) == 0 && is_readable(node.context->async_fd, 1000), "2 are");
    ibv_async_event event;
    need(::ibv_get_async_event(node.context, &event) == 0, "an event");
    need(event.event_type == IBV_EVENT_SRQ_LIMIT_REACHED && event.element.srq == srq, "of the queue");
    ::ibv_ack_async_event(&event);
    need(::ibv_query_srq(srq, &attributes) == 0 && attributes.srq_limit == 0, "it is disarmed");
    need(send(qp, memory.piece(0, 8), 0) == 0 && !is_readable(node.context->async_fd, 20), "once");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

TEST(completions, an_event_once_for_what_comes_after_arming) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    for (const unsigned step : {kReady, kDone, kAgain}) {
      board.hear(step);
      need(send(qp, memory.piece(0, 8), step == kAgain ? IBV_SEND_SOLICITED : 0) == 0, "posted");
      if (step == kAgain) break;
      board.tell(step + 10);
    }
    board.hear(kMore);
  };
  const auto waits = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kB, kA);
    for (int i = 0; i < 3; ++i) need(receive(qp, memory.piece(0, 64)) == 0, "posted");
    need(::ibv_req_notify_cq(node.cq, 0) == 0, "armed");
    need(!is_readable(node.channel->fd, 20), "nothing yet");
    board.tell(kReady);
    need(is_readable(node.channel->fd, 5000), "an event by another process");
    ibv_cq* cq = nullptr;
    void* context = &cq;
    need(::ibv_get_cq_event(node.channel, &cq, &context) == 0 && cq == node.cq && context == nullptr,
         "of the queue");
    board.hear(kReady + 10);
    board.tell(kDone);
    board.hear(kDone + 10);
    need(!is_readable(node.channel->fd, 20), "not armed: no event");
    need(::ibv_req_notify_cq(node.cq, 1) == 0, "for solicited ones");
    need(wait(node.cq).status == IBV_WC_SUCCESS && wait(node.cq).status == IBV_WC_SUCCESS, "two are here");
    need(!is_readable(node.channel->fd, 20), "nothing new");
    board.tell(kAgain);
    need(is_readable(node.channel->fd, 5000), "a solicited one");
    need(::ibv_get_cq_event(node.channel, &cq, &context) == 0, "an event");
    ::ibv_ack_cq_events(cq, 2);
    (void)::fcntl(node.channel->fd, F_SETFL, O_NONBLOCK);
    need(::ibv_get_cq_event(node.channel, &cq, &context) == -1 && errno == EAGAIN, "no more");
    need(::ibv_destroy_qp(qp) == 0 && ::ibv_destroy_cq(cq) == 0, "destroyed");
    board.tell(kMore);
  };
  EXPECT_TRUE(all_succeed({sends, waits}));
}

TEST(completions, a_queue_that_is_too_small_reports_an_error) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    need(::ibv_resize_cq(node.cq, 2) == 0, "smaller");
    ibv_qp* qp = loop(node);
    for (int i = 0; i < 3; ++i) need(receive(qp, memory.piece(0, 8)) == 0, "posted");
    for (int i = 0; i < 2; ++i) need(send(qp, memory.piece(0, 8), 0) == 0, "posted");
    need(!is_readable(node.context->async_fd, 20), "2 fit");
    need(::ibv_resize_cq(node.cq, 1) == EINVAL, "2 are in it");
    need(send(qp, memory.piece(0, 8), 0) == 0 && is_readable(node.context->async_fd, 1000),
         "a third does not");
    ibv_async_event event;
    need(::ibv_get_async_event(node.context, &event) == 0, "an event");
    need(event.event_type == IBV_EVENT_CQ_ERR && event.element.cq == node.cq, "of the queue");
    ::ibv_ack_async_event(&event);
  };
  EXPECT_TRUE(all_succeed({alone}));
}

TEST(completions, a_queue_keeps_its_content_when_it_grows) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    need(::ibv_resize_cq(node.cq, 3) == 0, "smaller");
    ibv_qp* qp = loop(node);
    for (unsigned i = 0; i < 7; ++i) need(receive(qp, memory.piece(0, 8), i) == 0, "posted");
    for (int i = 0; i < 2; ++i) need(send(qp, memory.piece(0, 8), 0) == 0, "posted");
    for (unsigned i = 0; i < 2; ++i) need(wait(node.cq).wr_id == i, "polled");
    for (int i = 0; i < 2; ++i) need(send(qp, memory.piece(0, 8), 0) == 0, "posted");
    need(::ibv_resize_cq(node.cq, 8) == 0 && node.cq->cqe == 8, "larger");
    for (int i = 0; i < 3; ++i) need(send(qp, memory.piece(0, 8), 0) == 0, "posted");
    for (unsigned i = 2; i < 7; ++i) need(wait(node.cq).wr_id == i, "polled");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

}  // namespace
}  // namespace emulated::checks
