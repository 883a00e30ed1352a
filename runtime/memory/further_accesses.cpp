// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/further_accesses.h"

#include <utility>

#include "base/check.h"

namespace ravel {

void FurtherAccesses::prepare() {
  if (units_.prepared()) return;
  capacity_ = kMostUnits;
  while (!units_.prepare(capacity_)) {
    capacity_ /= 2;
    RAVEL_CHECK(capacity_ > 1024, "no address space left for the race detector");
  }
}

void FurtherAccesses::add(std::uint32_t& head, AccessSlot access, bool is_write) {
  Link* table = nullptr;
  std::uint32_t alike = 0;
  for (std::uint32_t number = head; number != 0; number = units_[number].link.next) {
    Link& link = units_[number].link;
    if (!holds(link, access.atomic(), is_write)) continue;
    if (link.table_bits != 0) {
      table = &link;
      break;
    }
    if (AccessSlot(link.slot).same_sort(access)) {
      link.slot |= access.mask();
      return;
    }
    ++alike;
  }
  if (table == nullptr && alike >= kMostSingly) table = make_table(head, access.atomic(), is_write);
  if (table == nullptr || !add_to_table(head, *table, access)) add_singly(head, access, is_write);
}

void FurtherAccesses::add_singly(std::uint32_t& head, AccessSlot access, bool is_write) {
  const std::uint32_t number = new_unit();
  if (number == 0) return;  // no room: forgotten, which can only hide a race
  units_[number].link = Link{.slot = access.bits(),
                             .next = head,
                             .is_write = is_write,
                             .is_atomic = access.atomic(),
                             .table_bits = 0,
                             .tasks = 0};
  head = number;
}

FurtherAccesses::Link* FurtherAccesses::make_table(std::uint32_t& head, bool is_atomic, bool is_write) {
  units_.use_all();  // what follows refers to several units while it takes others
  Link table = {.slot = 0, .next = 0, .is_write = is_write, .is_atomic = is_atomic, .table_bits = 0, .tasks = 0};
  if (!give_rows(table, kFewestTableBits)) return nullptr;
  const std::uint32_t table_number = new_unit();
  if (table_number == 0) {
    release_rows(table.slot, table.table_bits);
    return nullptr;
  }
  std::uint32_t moving = 0;
  for (std::uint32_t* link = &head; *link != 0;) {
    const std::uint32_t number = *link;
    Link& single = units_[number].link;
    if (holds(single, is_atomic, is_write)) {
      *link = std::exchange(single.next, moving);
      moving = number;
    } else {
      link = &single.next;
    }
  }
  table.next = head;
  head = table_number;
  units_[table_number].link = table;
  while (moving != 0) {
    const Link single = units_[moving].link;
    release(std::exchange(moving, single.next));
    add_to_table(head, units_[table_number].link, AccessSlot(single.slot));
  }
  return &units_[table_number].link;
}

bool FurtherAccesses::add_to_table(std::uint32_t& head, Link& table, AccessSlot access) {
  constexpr std::uint64_t kBytes = (1U << AccessSlot::kMaskBits) - 1;
  Row* row = &row_of(table, access.task());
  if (row->halves[0] == 0) {
    if (4 * (std::uint32_t{table.tasks} + 1) > std::uint32_t{3} << table.table_bits) {
      if (!give_rows(table, table.table_bits + 1)) return false;
      row = &row_of(table, access.task());
    }
    ++table.tasks;
    row->halves[0] = access.bits() & ~kBytes;
  }
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned bytes = access.mask() & (0x0fU << (4 * half));
    if (bytes == 0) continue;
    const AccessSlot there(row->halves[half]);
    if (there.mask() != 0 && there.same_sort(access)) {
      row->halves[half] |= bytes;
      continue;
    }
    if (there.without(bytes)) add_singly(head, there.without(bytes), table.is_write != 0);
    row->halves[half] = (access.bits() & ~kBytes) | bytes;
  }
  return true;
}

bool FurtherAccesses::give_rows(Link& table, unsigned bits) {
  if (bits > kMostTableBits) return false;
  const std::uint32_t count = std::uint32_t{1} << bits;
  std::uint32_t first = free_rows_[bits];
  if (first != 0) {
    free_rows_[bits] = units_[first].link.next;
    for (std::uint32_t number = first; number < first + count; ++number) {
      asm volatile("");  // else this becomes a call of memset, which is interposed
      units_[number].row = {};
    }
  } else {
    if (capacity_ - used_ < count) return false;
    first = used_;
    used_ += count;
  }
  const Link before = table;
  table.slot = first;
  table.table_bits = bits;
  table.tasks = 0;
  if (before.table_bits == 0) return true;
  for (std::uint32_t number = 0; number < std::uint32_t{1} << before.table_bits; ++number) {
    const Row& row = rows_of(before)[number];
    if ((AccessSlot(row.halves[0]).mask() | AccessSlot(row.halves[1]).mask()) == 0) continue;
    row_of(table, AccessSlot(row.halves[0]).task()) = row;
    ++table.tasks;
  }
  release_rows(before.slot, before.table_bits);
  return true;
}

std::uint32_t FurtherAccesses::new_unit() {
  if (free_ != 0) return std::exchange(free_, units_[free_].link.next);
  return units_.make_room(used_) ? used_++ : 0;
}

void FurtherAccesses::release(std::uint32_t number) {
  Link& link = units_[number].link;
  if (link.table_bits != 0) release_rows(link.slot, link.table_bits);
  link.next = free_;
  free_ = number;
}

void FurtherAccesses::release_rows(std::uint64_t first, unsigned bits) {
  units_[first].link.next = free_rows_[bits];
  free_rows_[bits] = static_cast<std::uint32_t>(first);
}

void FurtherAccesses::clear(std::uint32_t& head) {
  while (head != 0) {
    const std::uint32_t next = units_[head].link.next;
    release(head);
    head = next;
  }
}

}  // namespace ravel
