// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/machine_code.h"

namespace ravel {
namespace {

// What follows an opcode, in the tables below:
//   .  nothing          m  a ModR/M byte        b  one byte          B  ModR/M and one byte
//   w  two bytes        z  four bytes (two)     Z  ModR/M and four   v  four bytes (two, eight)
//   o  an address       e  three bytes          r  four bytes, a branch      x  not an instruction
//   t  ModR/M, and as many as z for /0 and /1; T the same with one byte
// 64-bit mode. Prefixes are taken off before the tables are asked.
constexpr char kOneByte[] =
    "mmmmbzxxmmmmbzxx"   // 00
    "mmmmbzxxmmmmbzxx"   // 10
    "mmmmbzxxmmmmbzxx"   // 20
    "mmmmbzxxmmmmbzxx"   // 30
    "xxxxxxxxxxxxxxxx"   // 40: REX
    "................"   // 50
    "xxxmxxxxzZbB...."   // 60
    "bbbbbbbbbbbbbbbb"   // 70
    "BZxBmmmmmmmmmmmm"   // 80
    "..........x....."   // 90
    "oooo....bz......"   // A0
    "bbbbbbbbvvvvvvvv"   // B0
    "BBw.xxBZe.w..bx."   // C0
    "mmmmxxx.mmmmmmmm"   // D0
    "bbbbbbbbrrxb...."   // E0
    "x.xx..Tt......mm";  // F0
constexpr char kTwoByte[] =
    "mmmmx.....x.xm.B"   // 00
    "mmmmmmmmmmmmmmmm"   // 10
    "mmmmxxxxmmmmmmmm"   // 20
    "......x.xxxxxxxx"   // 30; 38 and 3A lead to other tables
    "mmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmm"   // 50
    "mmmmmmmmmmmmmmmm"   // 60
    "BBBBmmm.mmmmmmmm"   // 70
    "rrrrrrrrrrrrrrrr"   // 80
    "mmmmmmmmmmmmmmmm"   // 90
    "...mBmxx...mBmmm"   // A0
    "mmmmmmmmmmBmmmmm"   // B0
    "mmBmBBBm........"   // C0
    "mmmmmmmmmmmmmmmm"   // D0
    "mmmmmmmmmmmmmmmm"   // E0
    "mmmmmmmmmmmmmmmm";  // F0
static_assert(sizeof kOneByte == 257 && sizeof kTwoByte == 257);

// Reads bytes and remembers whether there were enough.
class Bytes {
 public:
  Bytes(const std::uint8_t* code, std::size_t available) : code_(code), available_(available) {}
  std::uint8_t peek() {
    if (at_ < available_) return code_[at_];
    complete_ = false;
    return 0;
  }
  std::uint8_t next() {
    const std::uint8_t byte = peek();
    ++at_;
    return byte;
  }
  void skip(std::size_t count) { at_ += count; }
  std::size_t at() const { return at_; }
  bool complete() const { return complete_ && at_ <= available_; }

 private:
  const std::uint8_t* code_;
  std::size_t available_;
  std::size_t at_ = 0;
  bool complete_ = true;
};

enum class OpcodeMap : std::uint8_t { one_byte, two_byte, map_38, map_3a };

char form_of(OpcodeMap map, std::uint8_t opcode) {
  switch (map) {
    case OpcodeMap::one_byte:
      return kOneByte[opcode];
    case OpcodeMap::two_byte:
      return kTwoByte[opcode];
    case OpcodeMap::map_38:
      return 'm';
    case OpcodeMap::map_3a:
      return 'B';
  }
  return 'x';
}

// May it carry a lock prefix, with this ModR/M byte?
bool can_be_locked(OpcodeMap map, std::uint8_t opcode, std::uint8_t modrm) {
  const unsigned extension = (modrm >> 3) & 7;
  if (map == OpcodeMap::one_byte) {
    if (opcode < 0x38) return (opcode & 7) < 2;  // add, or, adc, sbb, and, sub, xor to memory
    switch (opcode) {
      case 0x80:
      case 0x81:
      case 0x83:
        return extension != 7;
      case 0x86:
      case 0x87:
        return true;
      case 0xf6:
      case 0xf7:
        return extension == 2 || extension == 3;
      case 0xfe:
      case 0xff:
        return extension < 2;
      default:
        return false;
    }
  }
  if (map != OpcodeMap::two_byte) return false;
  switch (opcode) {
    case 0xab:
    case 0xb3:
    case 0xbb:
    case 0xb0:
    case 0xb1:
    case 0xc0:
    case 0xc1:
      return true;
    case 0xba:
      return extension >= 5;
    case 0xc7:
      return extension == 1;
    default:
      return false;
  }
}

BranchKind branch_of(OpcodeMap map, std::uint8_t opcode, std::uint8_t modrm) {
  if (map == OpcodeMap::two_byte) {
    if ((opcode & 0xf0) == 0x80) return BranchKind::conditional;
    return opcode == 0x05 || opcode == 0x07 || opcode == 0x0b || opcode == 0x34 || opcode == 0x35 ? BranchKind::other
                                                                                                  : BranchKind::none;
  }
  if (map != OpcodeMap::one_byte) return BranchKind::none;
  if ((opcode & 0xf0) == 0x70) return BranchKind::conditional;
  if (opcode == 0xe9 || opcode == 0xeb) return BranchKind::jump;
  const unsigned extension = (modrm >> 3) & 7;
  const bool leads_away = opcode == 0xe8 || (opcode & 0xfc) == 0xe0 || (opcode & 0xf6) == 0xc2 || opcode == 0xcc ||
                          opcode == 0xcd || opcode == 0xcf || opcode == 0xf4 ||
                          (opcode == 0xff && extension >= 2 && extension <= 5);
  return leads_away ? BranchKind::other : BranchKind::none;
}

}  // namespace

MachineInstruction decode_instruction(const std::uint8_t* code, std::size_t available) {
  constexpr std::size_t kLongest = 15;
  Bytes bytes(code, available < kLongest ? available : kLongest);
  bool lock = false;
  bool short_operand = false;
  bool short_address = false;
  bool wide = false;
  for (bool prefixes = true; prefixes && bytes.complete();) {
    switch (bytes.peek()) {
      case 0xf0:
        lock = true;
        break;
      case 0x66:
        short_operand = true;
        break;
      case 0x67:
        short_address = true;
        break;
      case 0xf2:
      case 0xf3:
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
        break;
      default:
        prefixes = false;
        continue;
    }
    bytes.skip(1);
  }
  OpcodeMap map = OpcodeMap::one_byte;
  std::uint8_t opcode = bytes.next();
  if ((opcode & 0xf0) == 0x40) {
    wide = (opcode & 8) != 0;
    opcode = bytes.next();
  }
  const auto map_of = [](unsigned number) {
    return number == 2 ? OpcodeMap::map_38 : number == 3 ? OpcodeMap::map_3a : OpcodeMap::two_byte;
  };
  if (opcode == 0x0f) {
    map = OpcodeMap::two_byte;
    opcode = bytes.next();
    if (opcode == 0x38 || opcode == 0x3a) {
      map = opcode == 0x38 ? OpcodeMap::map_38 : OpcodeMap::map_3a;
      opcode = bytes.next();
    }
  } else if (opcode == 0xc5) {  // vector instructions have their map and more in a prefix of their own
    map = OpcodeMap::two_byte;
    bytes.skip(1);
    opcode = bytes.next();
  } else if (opcode == 0xc4) {
    map = map_of(bytes.next() & 0x1fU);
    bytes.skip(1);
    opcode = bytes.next();
  } else if (opcode == 0x62) {
    map = map_of(bytes.next() & 7U);
    bytes.skip(2);
    opcode = bytes.next();
  }
  const char form = form_of(map, opcode);
  if (form == 'x' || !bytes.complete()) return {};
  const std::size_t operand = short_operand && !wide ? 2 : 4;
  MachineInstruction result;
  std::uint8_t modrm = 0xc0;
  const bool has_modrm = form == 'm' || form == 'B' || form == 'Z' || form == 't' || form == 'T';
  if (has_modrm) {
    modrm = bytes.next();
    const unsigned mode = modrm >> 6;
    const unsigned base = modrm & 7;
    if (mode != 3) {
      const unsigned real_base = base == 4 ? bytes.next() & 7U : base;
      if (mode == 1) {
        bytes.skip(1);
      } else if (mode == 2 || real_base == 5) {
        if (mode == 0 && base == 5) result.rip_relative = static_cast<std::uint8_t>(bytes.at());
        bytes.skip(4);
      }
    }
  }
  const bool tests = ((modrm >> 3) & 7) < 2;  // of the two opcodes where it decides whether a number follows
  switch (form) {
    case 'b':
    case 'B':
      bytes.skip(1);
      break;
    case 'w':
      bytes.skip(2);
      break;
    case 'e':
      bytes.skip(3);
      break;
    case 'z':
    case 'Z':
      bytes.skip(operand);
      break;
    case 'r':
      bytes.skip(4);
      break;
    case 'v':
      bytes.skip(wide ? 8 : operand);
      break;
    case 'o':
      bytes.skip(short_address ? 4 : 8);
      break;
    case 'T':
      bytes.skip(tests ? 1 : 0);
      break;
    case 't':
      bytes.skip(tests ? operand : 0);
      break;
    default:
      break;
  }
  if (!bytes.complete() || bytes.at() > kLongest) return {};
  const bool in_memory = has_modrm && (modrm >> 6) != 3;
  const bool exchanges = map == OpcodeMap::one_byte && (opcode == 0x86 || opcode == 0x87);
  const bool lockable = in_memory && can_be_locked(map, opcode, modrm);
  if (lock && !lockable) return {};
  result.length = static_cast<std::uint8_t>(bytes.at());
  result.branch = branch_of(map, opcode, modrm);
  const bool has_target = map == OpcodeMap::one_byte
                              ? (opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0 || (opcode >= 0xe8 && opcode <= 0xeb)
                              : form == 'r';
  if (has_target) result.relative = static_cast<std::uint8_t>(result.length - (form == 'r' ? 4 : 1));
  result.locked = lockable && (lock || exchanges);
  return result;
}

const std::uint8_t* find_locked_instruction(const std::uint8_t* start, const std::uint8_t* end) {
  while (start < end) {
    const MachineInstruction instruction = decode_instruction(start, static_cast<std::size_t>(end - start));
    if (instruction.locked) return start;
    start += instruction.length == 0 ? 1 : instruction.length;
  }
  return end;
}

}  // namespace ravel
