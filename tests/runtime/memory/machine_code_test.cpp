// SPDX-License-Identifier: Apache-2.0
// Instructions as assemblers write them: how long they are, and which are locked.
#include "runtime/memory/machine_code.h"

#include <gtest/gtest.h>

#include <vector>

namespace ravel {
namespace {

using Code = std::vector<std::uint8_t>;

MachineInstruction decode(const Code& code) { return decode_instruction(code.data(), code.size()); }

struct Sample {
  const char* text;
  Code code;
};

TEST(MachineCodeTest, LockedInstructions) {
  const Sample samples[] = {
      {"lock cmpxchg %ecx,(%rdx)", {0xf0, 0x0f, 0xb1, 0x0a}},
      {"lock cmpxchg16b (%rdi)", {0xf0, 0x48, 0x0f, 0xc7, 0x0f}},
      {"lock xadd %rax,0x10(%rbx)", {0xf0, 0x48, 0x0f, 0xc1, 0x43, 0x10}},
      {"lock addl $1,0x2e3f(%rip)", {0xf0, 0x83, 0x05, 0x3f, 0x2e, 0x00, 0x00, 0x01}},
      {"lock decl (%rdi)", {0xf0, 0xff, 0x0f}},
      {"lock btsl $0,(%rdi)", {0xf0, 0x0f, 0xba, 0x2f, 0x00}},
      {"lock orq $0,(%rsp)", {0xf0, 0x48, 0x83, 0x0c, 0x24, 0x00}},
      {"xchg %eax,(%rdx)", {0x87, 0x02}},
      {"xchg %al,0x12345678(%rax,%rcx,4)", {0x86, 0x84, 0x88, 0x78, 0x56, 0x34, 0x12}},
  };
  for (const Sample& sample : samples) {
    const MachineInstruction instruction = decode(sample.code);
    EXPECT_EQ(instruction.length, sample.code.size()) << sample.text;
    EXPECT_TRUE(instruction.locked) << sample.text;
  }
}

TEST(MachineCodeTest, OthersAreNotLocked) {
  const Sample samples[] = {
      {"xchg %eax,%ecx", {0x87, 0xc8}},
      {"cmpxchg %ecx,(%rdx)", {0x0f, 0xb1, 0x0a}},
      {"and $-16,%rsp", {0x48, 0x83, 0xe4, 0xf0}},
      {"movabs $0xf0,%rax", {0x48, 0xb8, 0xf0, 0, 0, 0, 0, 0, 0, 0}},
      {"movw $0x1234,(%rax)", {0x66, 0xc7, 0x00, 0x34, 0x12}},
      {"test $1,%dil", {0x40, 0xf6, 0xc7, 0x01}},
      {"not %eax", {0xf7, 0xd0}},
      {"testl $0x100,(%rax)", {0xf7, 0x00, 0x00, 0x01, 0x00, 0x00}},
      {"enter $8,$0", {0xc8, 0x08, 0x00, 0x00}},
      {"vaddps (%rax),%ymm1,%ymm0", {0xc5, 0xf4, 0x58, 0x00}},
      {"vpermilps $1,%xmm1,%xmm0", {0xc4, 0xe3, 0x79, 0x04, 0xc1, 0x01}},
      {"vaddps 0x40(%rax),%zmm1,%zmm0", {0x62, 0xf1, 0x74, 0x48, 0x58, 0x40, 0x01}},
      {"pshufd $0,%xmm0,%xmm1", {0x66, 0x0f, 0x70, 0xc8, 0x00}},
      {"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}},
  };
  for (const Sample& sample : samples) {
    const MachineInstruction instruction = decode(sample.code);
    EXPECT_EQ(instruction.length, sample.code.size()) << sample.text;
    EXPECT_FALSE(instruction.locked) << sample.text;
  }
}

TEST(MachineCodeTest, WhatIsNoInstructionIsSaidToBeNone) {
  EXPECT_EQ(decode({0x06}).length, 0);
  EXPECT_EQ(decode({0xf0, 0x90}).length, 0) << "nop cannot be locked";
  EXPECT_EQ(decode({0xf0, 0x0f, 0xb1, 0xca}).length, 0) << "nor can an operation on registers";
  EXPECT_EQ(decode({0xf0, 0x0f}).length, 0) << "the rest is not there";
  EXPECT_EQ(decode({}).length, 0);
}

TEST(MachineCodeTest, BranchesTellWhereTheirTargetStands) {
  EXPECT_EQ(decode({0x75, 0xf8}).branch, BranchKind::conditional);
  EXPECT_EQ(decode({0x75, 0xf8}).relative, 1);
  EXPECT_EQ(decode({0x0f, 0x85, 1, 0, 0, 0}).branch, BranchKind::conditional);
  EXPECT_EQ(decode({0x0f, 0x85, 1, 0, 0, 0}).relative, 2);
  EXPECT_EQ(decode({0xeb, 0xf8}).branch, BranchKind::jump);
  EXPECT_EQ(decode({0xe9, 1, 0, 0, 0}).relative, 1);
  EXPECT_EQ(decode({0xe8, 1, 0, 0, 0}).branch, BranchKind::other);
  EXPECT_EQ(decode({0xe8, 1, 0, 0, 0}).relative, 1);
  EXPECT_EQ(decode({0xc3}).branch, BranchKind::other);
  EXPECT_EQ(decode({0xff, 0x25, 0, 0, 0, 0}).branch, BranchKind::other);
  EXPECT_EQ(decode({0xff, 0x07}).branch, BranchKind::none) << "an increment";
  EXPECT_EQ(decode({0xc6, 0x00, 0x01}).branch, BranchKind::none);
}

TEST(MachineCodeTest, AnOperandNextToTheCodeIsFound) {
  EXPECT_EQ(decode({0xf0, 0x83, 0x05, 0x3f, 0x2e, 0x00, 0x00, 0x01}).rip_relative, 3);
  EXPECT_EQ(decode({0x8b, 0x04, 0x25, 0, 0, 0, 0}).rip_relative, 0) << "an absolute address";
}

TEST(MachineCodeTest, SweepFindsTheLockedOneAndNotItsLookalike) {
  // mov $0x0ab10ff0,%eax contains the bytes of lock cmpxchg; the real one comes after it.
  const Code code = {0xb8, 0xf0, 0x0f, 0xb1, 0x0a, 0xf0, 0x0f, 0xb1, 0x0a, 0xc3};
  const std::uint8_t* const end = code.data() + code.size();
  EXPECT_EQ(find_locked_instruction(code.data(), end), code.data() + 5);
  EXPECT_EQ(find_locked_instruction(code.data(), code.data() + 5), code.data() + 5);
}

}  // namespace
}  // namespace ravel
