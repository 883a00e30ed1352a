// SPDX-License-Identifier: Apache-2.0
// Works until the clock has moved by so many milliseconds. Each look moves it by a microsecond, whatever was done in
// between: ten milliseconds take ten thousand rounds, a second takes a million and is cut. Outside Ravel both end in
// time.
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

int main(int, char** words) {
  std::thread([length = std::chrono::milliseconds(std::atoi(words[1]))] {
    std::mutex mutex;
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < length) std::lock_guard lock(mutex);
  }).join();
}
