// SPDX-License-Identifier: Apache-2.0
// Elements of arrays and containers, by constant, by variable, by pointer and by range.
#include <array>
#include <cstdio>
#include <thread>
#include <vector>

int cells[3] = {1, 2, 3};       // [cells1]
std::array<int, 2> pair{4, 5};  // [pair1]
int at = 1;                     // [at1]

int main() {
  std::vector<int> list{1, 2};  // [list1]
  std::thread t([&list] {
    cells[at] = 7;  // at = π at1 at2  [cells2]
    int* p = cells;
    *(p + 2) = 8;                   // [cells3]
    for (int& one : pair) one = 9;  // [cells4]
    list[1] = 5;                    // list = list1  [list2]
  });
  at = 0;                         // [at2]
  std::printf("%d\n", cells[1]);  // cells[1] = π cells1 cells2 cells3 cells4
  std::printf("%d\n", cells[2]);  // cells[2] = π cells1 cells2 cells3 cells4
  std::printf("%d\n", pair[1]);   // pair[] = π pair1 cells3 cells4
  std::printf("%d\n", list[1]);   // list = π list1 list2; list[] = π list1 cells3 cells4 list2
  t.join();
  std::printf("%d\n", cells[at]);  // at = φ at1 at2; cells[] = φ cells1 cells2 cells3 cells4
}
