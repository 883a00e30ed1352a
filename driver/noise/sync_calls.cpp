// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/sync_calls.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <unordered_set>

#include "driver/process/file_descriptor.h"

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

// A part of the file as it lies in memory.
struct Part {
  std::uint64_t address = 0;
  std::span<const unsigned char> bytes;

  std::int32_t displacement_at(std::size_t at) const {
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  // What the four bytes at `at` point to, counted from the instruction after them.
  std::uint64_t target_at(std::size_t at) const {
    return address + at + 4 + static_cast<std::uint64_t>(std::int64_t{displacement_at(at)});
  }
};

class CallFinder {
 public:
  explicit CallFinder(Elf* elf) : elf_(elf) {
    for (Elf_Scn* section = ::elf_nextscn(elf, nullptr); section != nullptr; section = ::elf_nextscn(elf, section)) {
      GElf_Shdr header;
      if (::gelf_getshdr(section, &header) == nullptr) continue;
      if (header.sh_type == SHT_RELA) read_relocations(section, header);
      if (header.sh_type != SHT_PROGBITS || (header.sh_flags & SHF_EXECINSTR) == 0) continue;
      const Elf_Data* const data = ::elf_rawdata(section, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      const Part part{header.sh_addr, {static_cast<const unsigned char*>(data->d_buf), data->d_size}};
      std::size_t names = 0;
      const char* const name =
          ::elf_getshdrstrndx(elf, &names) == 0 ? ::elf_strptr(elf, names, header.sh_name) : nullptr;
      const bool is_table = name != nullptr && std::string_view(name).starts_with(".plt");
      (is_table ? stub_parts_ : code_parts_).push_back(part);
    }
  }

  std::vector<std::uint64_t> calls() {
    for (const Part& part : stub_parts_) find_stubs(part);
    std::vector<std::uint64_t> found;
    for (const Part& part : code_parts_) find_calls(part, found);
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  // Slots that the loader fills with the addresses of such functions.
  void read_relocations(Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Scn* const symbols = ::elf_getscn(elf_, header.sh_link);
    GElf_Shdr symbol_header;
    if (symbols == nullptr || ::gelf_getshdr(symbols, &symbol_header) == nullptr || header.sh_entsize == 0) return;
    Elf_Data* const table = ::elf_getdata(symbols, nullptr);
    Elf_Data* const data = ::elf_getdata(section, nullptr);
    if (table == nullptr || data == nullptr) return;
    for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Rela entry;
      GElf_Sym symbol;
      if (::gelf_getrela(data, static_cast<int>(i), &entry) == nullptr) continue;
      const auto type = GELF_R_TYPE(entry.r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      if (::gelf_getsym(table, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr) continue;
      const char* const name = ::elf_strptr(elf_, symbol_header.sh_link, symbol.st_name);
      if (name != nullptr && synchronises(name)) slots_.insert(entry.r_offset);
    }
  }

  // jmp *slot(%rip); calls go to the beginning of its entry, which is aligned.
  void find_stubs(const Part& part) {
    constexpr std::uint64_t kAlignment = 8;
    for (std::size_t i = 0; i + 6 <= part.bytes.size(); ++i) {
      if (part.bytes[i] != 0xff || part.bytes[i + 1] != 0x25 || !slots_.contains(part.target_at(i + 2))) continue;
      stubs_.insert((part.address + i) / kAlignment * kAlignment);
      stubs_.insert((part.address + i) / (2 * kAlignment) * (2 * kAlignment));
    }
  }

  // call rel32, and call *slot(%rip). Other bytes that look like one would have to lead to such an entry by chance.
  void find_calls(const Part& part, std::vector<std::uint64_t>& found) const {
    for (std::size_t i = 0; i + 6 <= part.bytes.size(); ++i) {
      if (part.bytes[i] == 0xe8 && stubs_.contains(part.target_at(i + 1))) found.push_back(part.address + i + 5);
      if (part.bytes[i] == 0xff && part.bytes[i + 1] == 0x15 && slots_.contains(part.target_at(i + 2))) {
        found.push_back(part.address + i + 6);
      }
    }
  }

  Elf* elf_;
  std::vector<Part> stub_parts_;
  std::vector<Part> code_parts_;
  Addresses slots_;
  Addresses stubs_;
};

}  // namespace

std::vector<std::uint64_t> synchronising_calls(const std::string& path) {
  ::elf_version(EV_CURRENT);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  Elf* const elf = ::elf_begin(file.get(), ELF_C_READ_MMAP, nullptr);
  if (elf == nullptr) return {};
  std::vector<std::uint64_t> calls = CallFinder(elf).calls();
  ::elf_end(elf);
  return calls;
}

}  // namespace ravel
