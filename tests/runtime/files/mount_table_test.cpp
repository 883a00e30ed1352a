// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/mount_table.h"

#include <gtest/gtest.h>

#include <string>

namespace ravel::testing {
namespace {

constexpr std::string_view kMounts =
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "23 22 0:20 / /proc rw,nosuid - proc proc rw\n"
    "24 22 0:21 / /dev rw,nosuid - devtmpfs udev rw\n"
    "25 24 0:22 / /dev/shm rw,nosuid - tmpfs tmpfs rw\n"
    "26 22 0:23 / /mnt/two\\040words rw - ext4 /dev/sdb1 rw\n"
    "27 22 0:24 / /cdrom ro,noatime - iso9660 /dev/sr0 ro\n"
    "28 22 0:25 / /home/user/mail rw - fuse mail rw\n";

std::string layer_for(std::string_view directory) {
  const Cover cover = cover_for(kMounts, directory);
  switch (cover.coverage) {
    case Coverable::possible:
      return std::string(directory, 0, cover.length);
    case Coverable::needless:
      return "needless";
    case Coverable::impossible:
      return "impossible";
  }
  return "";
}

TEST(MountTable, ALayerOfTheRootMountLiesOverItsHighestDirectory) {
  EXPECT_EQ(layer_for("/tmp"), "/tmp");
  EXPECT_EQ(layer_for("/work/deep/er"), "/work");
}

TEST(MountTable, ALayerOfAnotherMountLiesOverItsMountPoint) {
  EXPECT_EQ(layer_for("/dev/shm"), "/dev/shm");
  EXPECT_EQ(layer_for("/mnt/two words/deep"), "/mnt/two words");
}

TEST(MountTable, ALayerHidesNoOtherMount) {
  EXPECT_EQ(layer_for("/home/user/src/deep"), "/home/user/src");
  EXPECT_EQ(layer_for("/home/user/mail/new"), "/home/user/mail");
  EXPECT_EQ(layer_for("/home/user"), "impossible");
  EXPECT_EQ(layer_for("/home/users"), "/home/users");
  EXPECT_EQ(layer_for("/mnt"), "impossible");
}

TEST(MountTable, TheRootDirectoryItselfGetsNone) { EXPECT_EQ(layer_for("/"), "impossible"); }

TEST(MountTable, WhatCannotChangeOrIsNoDiskNeedsNone) {
  EXPECT_EQ(layer_for("/proc/self"), "needless");
  EXPECT_EQ(layer_for("/dev"), "needless");
  EXPECT_EQ(layer_for("/cdrom/files"), "needless");
}

TEST(MountTable, OurOwnLayersAreNotInTheWay) {
  const std::string mounts = std::string(kMounts) + "30 22 0:30 / /work/deep rw - overlay ravel rw,upperdir=/x\n";
  EXPECT_EQ(cover_for(mounts, "/work/other").length, std::string_view("/work").size());
}

TEST(MountTable, TheTopmostOfSeveralMountsOnOnePointCounts) {
  const std::string mounts = std::string(kMounts) + "30 26 0:30 / /mnt/two\\040words ro - tmpfs tmpfs ro\n";
  EXPECT_EQ(cover_for(mounts, "/mnt/two words").coverage, Coverable::needless);
}

}  // namespace
}  // namespace ravel::testing
