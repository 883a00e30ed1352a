// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: a stream is closed while another thread reads it.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "buffered_input.h"

int main() {
  for (;;) {
    streams::ByteSource source(std::string(500, 'x'));
    streams::BufferedInputStream stream(source);
    std::atomic<bool> reading = false;
    std::thread reader([&] {
      try {
        for (;;) {
          stream.read();
          reading = true;
        }
      } catch (const std::runtime_error&) {
      }
    });
    while (!reading) {
    }
    stream.close();
    reader.join();
  }
}
