// SPDX-License-Identifier: Apache-2.0
// Objects of a cache are counted by hand. release() decrements and then looks at the count with a second operation:
// two last owners both see zero and both free. After a defect of a web server's memory cache.
// FINDING: double-free, use-after-free
#include <atomic>
#include <string>
#include <thread>

struct CachedObject {
  std::atomic<int> references{2};
  std::string body = "<html>a page that is longer than a small string</html>";
};

void release(CachedObject* object) {
  object->references.fetch_sub(1);                    // CAUSE: first, second
  if (object->references.load() == 0) delete object;  // CAUSE: first, second
}

int main() {
  auto* const object = new CachedObject;
  std::thread request([object] { release(object); });
  std::thread cleanup([object] { release(object); });
  request.join();
  cleanup.join();
}
