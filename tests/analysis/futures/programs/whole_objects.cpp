// SPDX-License-Identifier: Apache-2.0
// Objects that are copied as a whole, by assignment and by memcpy, and a union, whose parts are one.
#include <cstdio>
#include <cstring>
#include <thread>

struct Point {
  int x;
  int y;
};
union Word {
  int number;
  char bytes[4];
};

Point point{1, 2};  // [point1]
Point other{5, 6};
Point block{0, 0};  // [block1]
Word word{5};       // [word1]

int main() {
  std::thread t([] {
    point = other;                              // [point2]
    point.x = 9;                                // [point3]
    std::memcpy(&block, &other, sizeof block);  // block = block1  [y1]
    word.bytes[0] = 1;                          // [word2]
  });
  const Point copy = point;  // point = π point1 point2 point3
  const int* y = &point.y;
  std::printf("%d %d\n", copy.x, *y);            // Point::y = π point1 point2
  std::printf("%d %d\n", block.y, word.number);  // Point::y = π block1 y1; word = π word1 word2
  t.join();
  std::printf("%d %d\n", point.x, block.x);  // Point::x = φ block1 point2 point3 y1
}
