// SPDX-License-Identifier: Apache-2.0
// A client of a service whose access tokens expire. Two requests find the token expired and both refresh it; the
// server makes the first new token invalid when it issues the second, and the request that uses the first is refused.
// FINDING: assertion
#include <cassert>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

struct Token {
  std::string text;
  int generation = 0;
};

class AuthServer {
 public:
  Token issue() {
    std::lock_guard lock(mutex_);
    ++generation_;
    return {"token-" + std::to_string(generation_), generation_};
  }

  bool accepts(const Token& token) const {
    std::lock_guard lock(mutex_);
    return token.generation == generation_;
  }

  int issued() const {
    std::lock_guard lock(mutex_);
    return generation_;
  }

 private:
  mutable std::mutex mutex_;
  int generation_ = 0;
};

class TokenStore {
 public:
  explicit TokenStore(AuthServer& server) : server_(server) {}

  Token valid_token() {
    {
      std::lock_guard lock(mutex_);
      if (token_) return *token_;  // CAUSE: first
    }
    const Token fresh = server_.issue();
    std::lock_guard lock(mutex_);
    token_ = fresh;  // CAUSE: second
    return fresh;
  }

  void expire() {
    std::lock_guard lock(mutex_);
    token_.reset();
  }

 private:
  AuthServer& server_;
  std::mutex mutex_;
  std::optional<Token> token_;
};

struct Response {
  int status = 0;
  std::string body;
};

class ApiClient {
 public:
  ApiClient(AuthServer& server, TokenStore& store) : server_(server), store_(store) {}

  Response get(const std::string& path) {
    const Token token = store_.valid_token();
    Response response;
    response.status = server_.accepts(token) ? 200 : 401;
    if (response.status == 200) response.body = "content of " + path;
    return response;
  }

 private:
  AuthServer& server_;
  TokenStore& store_;
};

int main() {
  AuthServer server;
  TokenStore store(server);
  ApiClient client(server, store);

  assert(client.get("/profile").status == 200);
  store.expire();

  std::vector<Response> responses(2);
  std::thread inbox([&] { responses[0] = client.get("/inbox"); });
  std::thread friends([&] { responses[1] = client.get("/friends"); });
  inbox.join();
  friends.join();
  for (const Response& response : responses) assert(response.status == 200);
  assert(server.issued() == 2);
}
