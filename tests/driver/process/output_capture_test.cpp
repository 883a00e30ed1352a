// SPDX-License-Identifier: Apache-2.0
#include "driver/process/output_capture.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include <gtest/gtest.h>

#include "driver/process/file_descriptor.h"

namespace ravel {
namespace {

TEST(OutputCapture, KeepsSmallOutputWhole) {
  OutputCapture capture;
  capture.append("one ");
  capture.append("two");
  EXPECT_EQ(capture.text(), "one two");
  EXPECT_EQ(capture.dropped_bytes(), 0U);
}

TEST(OutputCapture, KeepsEverythingUpToBothLimits) {
  OutputCapture capture;
  std::string all;
  for (int i = 0; all.size() < OutputCapture::kHeadBytes + OutputCapture::kTailBytes; ++i)
    all += std::to_string(i) + ",";
  all.resize(OutputCapture::kHeadBytes + OutputCapture::kTailBytes);
  capture.append(all);
  EXPECT_EQ(capture.text(), all);
}

TEST(OutputCapture, SaysHowMuchIsLeftOut) {
  OutputCapture capture;
  const std::string head(OutputCapture::kHeadBytes, 'h');
  const std::string middle(1000, 'm');
  std::string tail;
  while (tail.size() < OutputCapture::kTailBytes) tail += static_cast<char>('a' + tail.size() % 26);
  capture.append(head);
  for (const char byte : middle) capture.append(std::string_view(&byte, 1));
  capture.append(tail);
  EXPECT_EQ(capture.dropped_bytes(), 1000U);
  EXPECT_EQ(capture.text(), head + "\n[... 1000 bytes left out ...]\n" + tail);
}

TEST(OutputCapture, IsEmptyAfterClear) {
  OutputCapture capture;
  capture.append("x");
  capture.clear();
  EXPECT_EQ(capture.text(), "");
  EXPECT_EQ(capture.total_bytes(), 0U);
}

TEST(OutputCapture, DrainsAPipeWithoutBlocking) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const FileDescriptor reader(ends[0]);
  const FileDescriptor writer(ends[1]);
  OutputCapture capture;
  capture.drain(reader.get());
  EXPECT_EQ(capture.total_bytes(), 0U);
  ASSERT_EQ(::write(writer.get(), "text", 4), 4);
  capture.drain(reader.get());
  EXPECT_EQ(capture.text(), "text");
}

TEST(OutputCapture, DrainsOnlySoMuchAtATime) {
  const FileDescriptor endless(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  OutputCapture capture;
  capture.drain(endless.get());
  EXPECT_EQ(capture.total_bytes(), OutputCapture::kMostDrained);
}

}  // namespace
}  // namespace ravel
