// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/stack_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "driver/crash/failure_notes.h"
#include "driver/crash/frame_readers.h"
#include "driver/crash/log_lines.h"
#include "driver/crash/scan_text.h"
#include "driver/crash/thread_heading.h"

namespace ravel {
namespace {

constexpr const char* kForms =
    "save what gdb prints for 'thread apply all bt', or a report of a sanitizer, LLDB, coredumpctl, backward-cpp, "
    "Boost.Stacktrace or Ravel";

// Frames of one address as backward-cpp has them, outermost first. Each line but the last has the name of an inlined
// function beside the place that calls it; the last has the function that is not inlined beside the innermost place. So
// every name belongs one line further down.
void set_right_names(std::vector<CrashFrame>& group) {
  CrashFrame last = group.back();
  for (std::size_t i = group.size() - 1; i > 0; --i) {
    group[i].function = group[i - 1].function;
    group[i].name = group[i - 1].name;
    group[i].address = last.address;
    group[i].inlined = true;
  }
  group[0].function = last.function;
  group[0].name = last.name;
  group[0].address = last.address;
}

bool raises_failure(const CrashFrame& frame) {
  static constexpr std::string_view kNames[] = {"abort",         "__GI_abort",         "raise",          "__GI_raise",
                                                "__assert_fail", "__GI___assert_fail", "std::terminate", "__cxa_throw"};
  return frame.signal_handler ||
         std::find(std::begin(kNames), std::end(kNames), frame.name.qualified()) != std::end(kNames);
}

class StackReader {
 public:
  void read(std::string_view text) {
    for (const std::string& line : log_lines(text)) take_line(line);
    finish_open();
    finish_thread();
  }

  CrashReport report() {
    CrashReport report;
    report.format = static_cast<CrashFormat>(std::max_element(formats_.begin(), formats_.end()) - formats_.begin());
    report.threads = std::move(threads_);
    drop_repeated(report.threads);
    find_crashed(report);
    if (const CrashThread* crashed = report.crashed()) notes_.take_frames(*crashed);
    report.failure = notes_.failure();
    return report;
  }

 private:
  static constexpr std::size_t kMostJoined = 16;

  // A frame that may go on in the next line.
  struct OpenFrame {
    std::string line;
    FrameLine frame;
    std::size_t lines = 1;
  };

  void take_line(const std::string& line) {
    if (open_ && take_rest(line)) return;
    finish_open();
    auto frame = read_frame_line(line);
    if (frame && frame->inner && !in_backward()) frame.reset();
    if (!frame) {
      take_other(line);
    } else if (frame->rest == FrameRest::none) {
      take_frame(std::move(*frame));
    } else {
      open_ = OpenFrame{line, std::move(*frame), 1};
    }
  }

  // The line may be the rest of the frame before it: wrapped arguments, or its place.
  bool take_rest(const std::string& line) {
    const std::string_view rest = trimmed(line);
    if (rest.empty() || rest.starts_with('#') || ++open_->lines > kMostJoined) return false;
    const bool has_place = rest.starts_with("at ") || rest.starts_with("from ");
    if (open_->frame.rest == FrameRest::place && !has_place) return false;
    // Ravel's own reports have two blanks where there is room for the place, and "at" where there is none.
    const bool ours = open_->frame.format == CrashFormat::ravel;
    while (open_->line.ends_with(' ')) open_->line.pop_back();
    std::string joined = open_->line + (ours ? "  " + std::string(rest.substr(3)) : " " + std::string(rest));
    auto frame = read_frame_line(joined);
    if (!frame || frame->format != open_->frame.format) return false;
    open_->line = std::move(joined);
    open_->frame = std::move(*frame);
    if (open_->frame.rest == FrameRest::none) finish_open();
    return true;
  }

  void finish_open() {
    if (!open_) return;
    // A number and a word that nothing follows can be anything.
    const bool bare = open_->frame.format == CrashFormat::ravel && open_->frame.rest != FrameRest::none;
    if (!bare) take_frame(std::move(open_->frame));
    open_.reset();
  }

  bool in_backward() const { return has_thread_ && format_ == CrashFormat::backward && !group_.empty(); }

  void take_other(const std::string& line) {
    notes_.take_line(line);
    if (trimmed(line) == "Found by: inlining" && !thread_.frames.empty()) thread_.frames.back().inlined = true;
    auto heading = read_thread_heading(line);
    if (!heading) return;
    if (heading->of_later) {
      crashed_id_ = heading->id;
      crashed_name_ = heading->name;
      return;
    }
    // "backtrace:" says less than the line of its thread, some lines above.
    if (starts_stack_ && !heading->starts_stack && heading->id.empty()) return;
    if (heading->starts_stack) starts_stack_ = true;
    heading_ = std::move(*heading);
  }

  void take_frame(FrameLine line) {
    ++formats_[static_cast<std::size_t>(line.format)];
    const bool newest_last = line.format == CrashFormat::backward;
    const bool goes_on = !line.number || line.inner || !last_number_ ||
                         (newest_last ? *line.number < *last_number_ : *line.number > *last_number_);
    if (!has_thread_ || starts_stack_ || !goes_on) begin_thread();
    if (line.number) last_number_ = line.number;
    format_ = line.format;
    if (!line.inner) finish_group();
    (newest_last ? group_ : thread_.frames).push_back(std::move(line.frame));
    if (!newest_last) frame_formats_.push_back(line.format);
  }

  void begin_thread() {
    finish_thread();
    has_thread_ = true;
    starts_stack_ = false;
    last_number_.reset();
    thread_.id = heading_.id;
    thread_.name = heading_.name;
    thread_.heading = heading_.text;
    thread_.crashed = heading_.crashed;
    heading_ = ThreadHeading();
  }

  void finish_group() {
    if (group_.empty()) return;
    if (group_.size() > 1) set_right_names(group_);
    for (CrashFrame& frame : group_) thread_.frames.push_back(std::move(frame));
    group_.clear();
  }

  void finish_thread() {
    finish_group();
    if (format_ == CrashFormat::backward) std::reverse(thread_.frames.begin(), thread_.frames.end());
    mark_inlined();
    if (!thread_.frames.empty()) threads_.push_back(std::move(thread_));
    thread_ = CrashThread();
    frame_formats_.clear();
  }

  // gdb shows no address for the caller of an inlined function; the others show the same one for both.
  void mark_inlined() {
    std::vector<CrashFrame>& frames = thread_.frames;
    for (std::size_t i = 0; i + 1 < frames.size() && i + 1 < frame_formats_.size(); ++i) {
      const CrashFrame& caller = frames[i + 1];
      const CrashFormat format = frame_formats_[i + 1];
      if (format == CrashFormat::gdb) {
        if (!caller.address && !caller.signal_handler && !frames[i].signal_handler) frames[i].inlined = true;
      } else if (format == CrashFormat::sanitizer && frames[i].function != caller.function) {
        const bool same_address = frames[i].address && frames[i].address == caller.address;
        const bool same_offset = !frames[i].address && frames[i].offset != 0 && frames[i].offset == caller.offset &&
                                 frames[i].module == caller.module;
        if (same_address || same_offset) frames[i].inlined = true;
      }
    }
  }

  static std::vector<CrashFrame> first_frame(const CrashThread& thread) { return {thread.frames.front()}; }

  // `bt` followed by `thread apply all bt` has the thread that crashed twice: kept is the one with a heading. LLDB
  // shows the frame where a thread stopped before it is asked for the whole stack.
  static void drop_repeated(std::vector<CrashThread>& threads) {
    for (std::size_t i = 1; i < threads.size(); ++i) {
      const std::vector<CrashFrame>& shown = threads[i - 1].frames;
      const bool same = !threads[i].id.empty() && threads[i].id == threads[i - 1].id;
      if (!same || shown.size() != 1 || threads[i].frames.size() < 2 || shown != first_frame(threads[i])) continue;
      threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(i - 1));
      break;
    }
    if (threads.size() < 2 || !threads.front().id.empty()) return;
    for (std::size_t i = 1; i < threads.size(); ++i) {
      if (threads[i].id.empty() || threads[i].frames != threads.front().frames) continue;
      threads[i].crashed = true;
      threads.erase(threads.begin());
      return;
    }
  }

  void find_crashed(CrashReport& report) const {
    std::vector<CrashThread>& threads = report.threads;
    if (threads.empty() || report.crashed() != nullptr) return;
    const auto mark = [&](auto matches) {
      const auto found = std::find_if(threads.begin(), threads.end(), matches);
      if (found == threads.end()) return false;
      found->crashed = true;
      return true;
    };
    if (!crashed_id_.empty()) {
      const bool named = mark([this](const CrashThread& thread) { return thread.id == crashed_id_; });
      if (named) return;
      if (threads.front().id.empty()) {
        threads.front().id = crashed_id_;
        threads.front().name = crashed_name_;
        threads.front().crashed = true;
        return;
      }
    }
    // Threads that wait for each other have not crashed: each is as important as the other.
    if (notes_.failure().kind == FindingKind::deadlock && threads.size() > 1) return;
    const bool first = threads.size() == 1 || report.format != CrashFormat::gdb;
    if (first) {
      threads.front().crashed = true;
      return;
    }
    mark([](const CrashThread& thread) {
      return std::any_of(thread.frames.begin(), thread.frames.end(), raises_failure);
    });
  }

  std::vector<CrashThread> threads_;
  CrashThread thread_;  // the one being read
  std::vector<CrashFormat> frame_formats_;
  std::vector<CrashFrame> group_;  // of one address, in backward-cpp's order
  ThreadHeading heading_;          // the last one, of the next stack
  FailureNotes notes_;
  std::array<std::size_t, 16> formats_{};  // frames of each form
  CrashFormat format_ = CrashFormat::gdb;  // of the last frame
  std::optional<std::uint32_t> last_number_;
  bool has_thread_ = false;
  bool starts_stack_ = false;
  std::optional<OpenFrame> open_;
  std::string crashed_id_;
  std::string crashed_name_;
};

// The share of bytes that no text has.
bool is_binary(std::string_view text) {
  const auto strange = std::count_if(text.begin(), text.end(), [](char c) {
    return c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
  });
  return static_cast<std::size_t>(strange) * 20 > text.size();
}

}  // namespace

Result<CrashReport> parse_crash_text(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return Status::trouble(fmt::format("{} is empty", name), kForms);
  }
  if (text.starts_with("\x7f"
                       "ELF")) {
    return Status::trouble(fmt::format("{} is an ELF file, not a text", name),
                           "give a core file with --core, and the program with --binary");
  }
  StackReader reader;
  reader.read(text);
  CrashReport report = reader.report();
  if (!report.threads.empty()) return report;
  if (is_binary(text)) return Status::trouble(fmt::format("{} is not a text", name), kForms);
  return Status::trouble(fmt::format("no stack frames in {}", name), kForms);
}

}  // namespace ravel
