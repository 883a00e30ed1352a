// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/sync_calls.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "elf/elf_file.h"

namespace ravel {
namespace {

using Addresses = std::unordered_set<std::uint64_t>;

bool synchronises(std::string_view name) {
  constexpr std::array<std::string_view, 16> kBeginnings = {"pthread_mutex_",
                                                            "pthread_cond_",
                                                            "pthread_rwlock_",
                                                            "pthread_spin_",
                                                            "pthread_barrier_",
                                                            "pthread_once",
                                                            "pthread_create",
                                                            "pthread_join",
                                                            "mtx_",
                                                            "cnd_",
                                                            "thrd_",
                                                            "sem_",
                                                            "__tsan_atomic",
                                                            "_ZNSt6thread",
                                                            "_ZNSt18condition_variable",
                                                            "_ZNSt3__118condition_variable"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// The address that the four bytes at `at` point to, relative to the instruction after them.
std::uint64_t target_at(const ElfSection& code, std::size_t at) {
  std::int32_t displacement = 0;
  std::memcpy(&displacement, code.bytes.data() + at, sizeof displacement);
  return code.address + at + 4 + static_cast<std::uint64_t>(std::int64_t{displacement});
}

class CallFinder {
 public:
  explicit CallFinder(const ElfFile& file) : file_(file) {
    // Slots that the loader fills with the addresses of such functions.
    for (const ElfRelocation& relocation : file.relocations()) {
      const bool is_slot = relocation.type == R_X86_64_JUMP_SLOT || relocation.type == R_X86_64_GLOB_DAT;
      if (is_slot && synchronises(relocation.symbol)) slots_.insert(relocation.address);
    }
  }

  std::vector<std::uint64_t> calls() {
    std::vector<const ElfSection*> code;
    for (const ElfSection& section : file_.sections()) {
      if (section.type != SHT_PROGBITS || !section.executable) continue;
      if (section.name.starts_with(".plt")) {
        find_stubs(section);
      } else {
        code.push_back(&section);
      }
    }
    std::vector<std::uint64_t> found;
    for (const ElfSection* section : code) find_calls(*section, found);
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  // jmp *slot(%rip); calls go to the beginning of its entry, which is aligned.
  void find_stubs(const ElfSection& part) {
    constexpr std::uint64_t kAlignment = 8;
    for (std::size_t i = 0; i + 6 <= part.bytes.size(); ++i) {
      if (part.bytes[i] != 0xff || part.bytes[i + 1] != 0x25 || !slots_.contains(target_at(part, i + 2))) continue;
      stubs_.insert((part.address + i) / kAlignment * kAlignment);
      stubs_.insert((part.address + i) / (2 * kAlignment) * (2 * kAlignment));
    }
  }

  // call rel32, and call *slot(%rip). Other bytes that look like one would have to lead to such an entry by chance.
  void find_calls(const ElfSection& part, std::vector<std::uint64_t>& found) const {
    for (std::size_t i = 0; i + 6 <= part.bytes.size(); ++i) {
      if (part.bytes[i] == 0xe8 && stubs_.contains(target_at(part, i + 1))) found.push_back(part.address + i + 5);
      if (part.bytes[i] == 0xff && part.bytes[i + 1] == 0x15 && slots_.contains(target_at(part, i + 2))) {
        found.push_back(part.address + i + 6);
      }
    }
  }

  const ElfFile& file_;
  Addresses slots_;
  Addresses stubs_;
};

}  // namespace

std::vector<std::uint64_t> synchronising_calls(const std::string& path) { return CallFinder(ElfFile(path)).calls(); }

}  // namespace ravel
