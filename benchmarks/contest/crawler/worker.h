// SPDX-License-Identifier: Apache-2.0
// Worker: a thread that reads one page after the other, as the manager tells it.
//
// Thread safety: assign() and finish() are for the manager, the rest is for the worker's own thread.
#pragma once

#include <atomic>
#include <cassert>
#include <thread>

#include "link_extractor.h"
#include "mailbox.h"
#include "shared_state.h"
#include "text_extractor.h"

namespace crawler {

class Worker {
 public:
  explicit Worker(SharedState& shared) : shared_(shared), links_(16), text_(4) {}

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start() {
    shared_.idle.put(*this);
    thread_ = std::thread([this] { run(); });
  }

  void assign(const Frontier::Entry& entry) { mailbox_.put(entry); }

  // Ends the worker's work: what it reads now is not read to the end, and nothing comes after it.
  // This is the defect: the worker may give its connection back between the question and the call.
  void finish() {
    is_finished_ = true;
    if (connection_ != nullptr) connection_.load()->set_stop_flag();
    mailbox_.close();
  }

  void join() { thread_.join(); }

 private:
  void run() {
    while (const std::optional<Frontier::Entry> entry = mailbox_.take()) {
      Outcome outcome = visit(*entry);
      shared_.idle.put(*this);
      shared_.outcomes.put(std::move(outcome));
    }
  }

  Outcome visit(const Frontier::Entry& entry) {
    const Page page = fetch(entry.url);
    shared_.statistics.count(page);
    Outcome outcome{entry.url, page.status(), entry.depth, {}};
    if (page.is_complete()) {
      shared_.hosts.at(entry.url.host()).count_page();
      outcome.links = links_.links(page);
      WordIndex part;
      part.add(page.url(), text_.words(page.body()));
      const bool is_new = shared_.merger.merge(page.url(), part);
      assert(is_new);
      static_cast<void>(is_new);
    }
    return outcome;
  }

  Page fetch(const Url& url) {
    if (is_finished_) return Page(url, FetchStatus::stopped);
    connection_ = &shared_.pool.acquire(url.host());
    Page page = read(url);
    Connection* mine = connection_.exchange(nullptr);
    shared_.pool.release(*mine);
    return page;
  }

  Page read(const Url& url) {
    Connection& connection = *connection_.load();
    Host& host = shared_.hosts.at(url.host());
    if (host.claim_rules()) {
      const Page robots = connection.read(Url(url.host(), "/robots.txt"));
      shared_.statistics.count_robots(robots);
      if (robots.status() == FetchStatus::stopped) {
        host.give_up();
        return Page(url, FetchStatus::stopped);
      }
      host.set_rules(RobotsRules::parse(robots.body(), "ravel"));
    }
    if (!host.allows(url.path())) return Page(url, FetchStatus::forbidden);
    return connection.read(url);
  }

  SharedState& shared_;
  const LinkExtractor links_;
  const TextExtractor text_;
  Mailbox mailbox_;
  std::atomic<bool> is_finished_{false};
  std::atomic<Connection*> connection_{nullptr};
  std::thread thread_;
};

}  // namespace crawler
