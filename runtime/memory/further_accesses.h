// SPDX-License-Identifier: Apache-2.0
//
// FurtherAccesses: the accesses of a cell that have no room in its two slots. They hang off the cell in a chain. Where
// many tasks access one granule in the same way and nothing orders them (a flag that a thousand tasks read), the chain
// would be as long as there are tasks, and every access would walk it. So accesses of one kind beyond kMostSingly move
// into a table, where a task's accesses are found by its number. A chain is thus walked in constant time, and a table
// as a whole only by what may race with its accesses, which empties it.
//
// Everything lives in units of sixteen bytes, in address space reserved once: a link of a chain is one unit, a table
// has one unit for a task, with one slot for each half of the granule.
//
// Thread safety: none; only the running task calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/access_slot.h"
#include "runtime/memory/growing_table.h"

namespace ravel {

class FurtherAccesses {
 public:
  // Reserves address space. Once, before any fork.
  void prepare();

  // Adds an access, the latest one of its task, to the chain that begins at `head` (0: an empty chain).
  void add(std::uint32_t& head, AccessSlot access, bool is_write);

  // Shows `meet` what an access by `task` must check: every access that it may race with, and those of its own task.
  // `meet(slot, is_write)` returns what is left of the slot to remember.
  template <typename Meet>
  void visit(std::uint32_t& head, AccessSlot access, bool is_write, Meet meet) {
    for (std::uint32_t* link = &head; *link != 0;) {
      Link& further = units_[*link].link;
      bool empty;
      if (further.table_bits == 0) {
        further.slot = meet(AccessSlot(further.slot), further.is_write != 0).bits();
        empty = further.slot == 0;
      } else {
        empty = visit_table(further, access, is_write, meet);
      }
      if (empty) {
        const std::uint32_t number = *link;
        *link = further.next;
        release(number);
      } else {
        link = &further.next;
      }
    }
  }

  // The slot of the access, if the chain is one plain read and nothing else; otherwise nullptr. For the commonest
  // chain: two tasks read what nobody writes.
  std::uint64_t* only_plain_read(std::uint32_t head) {
    Link& link = units_[head].link;
    const bool is_it = link.next == 0 && link.is_write == 0 && link.is_atomic == 0 && link.table_bits == 0;
    return is_it ? &link.slot : nullptr;
  }

  void clear(std::uint32_t& head);

 private:
  struct Link {
    std::uint64_t slot;  // an AccessSlot; of a table, the number of its first unit
    std::uint32_t next;
    std::uint32_t is_write : 1;
    std::uint32_t is_atomic : 1;
    std::uint32_t table_bits : 5;  // a table of 2^table_bits tasks; 0: a single access
    std::uint32_t tasks : 25;      // of a table: how many of its rows are taken
  };
  // The accesses of one task, by the half of the granule. `halves[0]` names the task even when it holds no bytes.
  struct Row {
    std::uint64_t halves[2];
  };
  union Unit {
    Link link;
    Row row;
  };
  static_assert(sizeof(Unit) == 16);
  static constexpr std::size_t kMostUnits = std::size_t{1} << 28;
  static constexpr std::uint32_t kMostSingly = 16;
  static constexpr unsigned kFewestTableBits = 5;
  static constexpr unsigned kMostTableBits = Epoch::kTaskBits + 1;

  // Is the table empty afterwards?
  template <typename Meet>
  bool visit_table(Link& table, AccessSlot access, bool is_write, Meet meet) {
    const bool may_race = (is_write || table.is_write != 0) && !(access.atomic() && table.is_atomic != 0);
    Row* const rows = rows_of(table);
    // Usually both halves hold the same access: it is met once.
    const auto meet_row = [&](Row& row) {
      const auto met = [&](AccessSlot slot) { return slot.mask() & ~meet(slot, table.is_write != 0).mask(); };
      const AccessSlot low(row.halves[0]);
      const AccessSlot high(row.halves[1]);
      if (low.same_place(high)) {
        const unsigned gone = met(low.with(high.mask()));
        row.halves[0] &= ~std::uint64_t{gone};
        row.halves[1] &= ~std::uint64_t{gone};
      } else {
        if (low.mask() != 0) row.halves[0] &= ~std::uint64_t{met(low)};
        if (high.mask() != 0) row.halves[1] &= ~std::uint64_t{met(high)};
      }
      return (AccessSlot(row.halves[0]).mask() | AccessSlot(row.halves[1]).mask()) != 0;
    };
    if (!may_race) {
      meet_row(row_of(table, access.task()));
      return false;
    }
    bool left = false;
    for (std::uint32_t number = 0; number < std::uint32_t{1} << table.table_bits; ++number) {
      left |= meet_row(rows[number]);
    }
    return !left;
  }

  static bool holds(const Link& link, bool is_atomic, bool is_write) {
    return (link.is_atomic != 0) == is_atomic && (link.is_write != 0) == is_write;
  }
  Row* rows_of(const Link& table) { return &units_[table.slot].row; }
  // The row of the task, or the free one where it would be.
  Row& row_of(const Link& table, TaskId task) {
    Row* const rows = rows_of(table);
    const std::uint32_t mask = (std::uint32_t{1} << table.table_bits) - 1;
    std::uint32_t number = task & mask;
    while (rows[number].halves[0] != 0 && AccessSlot(rows[number].halves[0]).task() != task) {
      number = (number + 1) & mask;
    }
    return rows[number];
  }

  void add_singly(std::uint32_t& head, AccessSlot access, bool is_write);
  // Moves the single accesses of one kind into a table; nullptr when there is no room.
  Link* make_table(std::uint32_t& head, bool is_atomic, bool is_write);
  bool give_rows(Link& table, unsigned bits);
  // Adds to a table; what it displaces goes to the chain.
  bool add_to_table(std::uint32_t& head, Link& table, AccessSlot access);
  std::uint32_t new_unit();
  void release(std::uint32_t number);
  void release_rows(std::uint64_t first, unsigned bits);

  GrowingTable<Unit> units_;
  std::size_t capacity_ = 0;
  std::uint32_t used_ = 1;  // number 0 is none
  std::uint32_t free_ = 0;
  std::uint32_t free_rows_[kMostTableBits + 1] = {};  // by their size
};

}  // namespace ravel
