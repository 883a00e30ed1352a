// SPDX-License-Identifier: Apache-2.0
#include "driver/crash/crashing_class.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "driver/crash/scan_text.h"
#include "reports/finding_report.h"

namespace ravel {
namespace {

using Verdict = CrashingClass::Verdict;

// Frames of one class that follow each other.
struct ClassRun {
  std::string class_name;
  std::size_t thread = 0;
  std::vector<std::size_t> frames;  // of the class, innermost first
};

enum class ScopeKind : std::uint8_t { name_space, maybe_class, sure_class };

// "Cache<std::string>", as people write what reports have at its full length; and no blanks between brackets.
std::string with_short_strings(std::string name) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = name.find(from, at)) != std::string::npos; at += to.size()) {
      name.replace(at, from.size(), to);
    }
  };
  replace(" >", ">");
  replace("std::__cxx11::", "std::");
  replace("std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string");
  return name;
}

class ClassFinder {
 public:
  ClassFinder(const CrashReport& report, const ClassWish& wish) : report_(report), wish_(wish) {
    judge_scopes();
    const CrashThread* const crashed = report.crashed();
    for (std::size_t i = 0; i < report.threads.size(); ++i) {
      if (crashed == &report.threads[i] || (crashed == nullptr && is_of_failure(report.threads[i]))) find_runs(i);
    }
  }

  CrashingClass answer() const {
    if (!wish_.class_name.empty() || !wish_.method.empty()) return wished();
    const ClassRun* const best = best_run();
    if (best == nullptr) return absent();
    if (report_.crashed() == nullptr) {
      for (const ClassRun& run : runs_) {
        if (run.thread != best->thread && without_arguments(run.class_name) != without_arguments(best->class_name)) {
          return ambiguous();
        }
      }
    }
    return found(*best, best->frames.back());
  }

 private:
  // Sanitizers also show where threads, locks and memory come from.
  static bool is_of_failure(const CrashThread& thread) {
    for (const std::string_view words : {"created ", "allocated by ", "freed by "}) {
      if (thread.heading.find(words) != std::string::npos) return false;
    }
    return true;
  }

  void judge_scopes() {
    std::set<std::string> outer;  // scopes with a scope inside
    for (const CrashThread& thread : report_.threads) {
      for (const CrashFrame& frame : thread.frames) {
        const std::string scope = frame.name.scope();
        if (scope.empty()) continue;
        ScopeKind& kind = scopes_.try_emplace(scope, ScopeKind::maybe_class).first->second;
        if (frame.method || frame.name.is_surely_method()) kind = ScopeKind::sure_class;
        // With debug information, a debugger shows the `this` of every method that is not static.
        const bool shows_this = report_.format == CrashFormat::gdb && frame.line != 0;
        if (kind == ScopeKind::maybe_class && shows_this) kind = ScopeKind::name_space;
        std::string around;
        constexpr std::size_t kDeepest = 32;  // no program nests deeper; a damaged text may
        for (std::size_t i = 0; i + 2 < frame.name.parts.size() && i < kDeepest; ++i) {
          around += (i == 0 ? "" : "::") + frame.name.parts[i].name;
          outer.insert(around);
        }
      }
    }
    for (auto& [scope, kind] : scopes_) {
      if (kind == ScopeKind::maybe_class && outer.contains(scope)) kind = ScopeKind::name_space;
    }
  }

  ScopeKind kind_of(const std::string& scope) const {
    const auto found = scopes_.find(scope);
    return found == scopes_.end() ? ScopeKind::name_space : found->second;
  }

  // Does the code belong to whatever is around it?
  static bool is_transparent(const CrashFrame& frame, const CrashFrame& before) {
    if (is_foreign_frame(frame)) return true;
    const bool lambda = frame.name.qualified() == "operator()";
    return lambda || (!frame.file.empty() && frame.file == before.file);
  }

  // Where a signal interrupted the thread: what its handler does afterwards is not what crashed.
  static std::size_t interrupted(const std::vector<CrashFrame>& frames) {
    const auto handler =
        std::find_if(frames.rbegin(), frames.rend(), [](const CrashFrame& f) { return f.signal_handler; });
    return static_cast<std::size_t>(handler.base() - frames.begin());
  }

  void find_runs(std::size_t thread) {
    const std::vector<CrashFrame>& frames = report_.threads[thread].frames;
    std::optional<ClassRun> run;
    const auto finish = [&] {
      if (run) runs_.push_back(std::move(*run));
      run.reset();
    };
    for (std::size_t i = interrupted(frames); i < frames.size(); ++i) {
      const std::string scope = class_of(frames[i], wish_);
      const bool of_class = !scope.empty() && is_class(scope, is_foreign_frame(frames[i]));
      if (of_class && run && run->class_name != scope) finish();
      if (of_class) {
        if (!run) run = ClassRun{scope, thread, {}};
        run->frames.push_back(i);
      } else if (run && !is_transparent(frames[i], frames[run->frames.back()])) {
        finish();
      }
    }
    finish();
  }

  // What the user calls a class is one, also in a library.
  bool is_class(const std::string& scope, bool is_foreign) const {
    if (!wish_.class_name.empty() && is_wished(scope)) return true;
    return !is_foreign && kind_of(scope) != ScopeKind::name_space;
  }

  static bool ends_with(const std::string& name, const std::string& wish) {
    return name == wish || name.ends_with("::" + wish);
  }

  bool is_wished(const std::string& scope) const {
    if (ends_with(with_short_strings(scope), with_short_strings(wish_.class_name))) return true;
    return wish_.class_name.find('<') == std::string::npos && ends_with(without_arguments(scope), wish_.class_name);
  }

  // The innermost; but one that may be a namespace, and is spelled like one, only when there is no other.
  const ClassRun* best_run() const {
    for (const ClassRun& run : runs_) {
      const std::string name = without_arguments(run.class_name);
      const std::size_t last = name.rfind("::") == std::string::npos ? 0 : name.rfind("::") + 2;
      const bool capital = last < name.size() && name[last] >= 'A' && name[last] <= 'Z';
      if (capital || kind_of(run.class_name) == ScopeKind::sure_class) return &run;
    }
    return runs_.empty() ? nullptr : &runs_.front();
  }

  const CrashFrame& frame(const ClassRun& run, std::size_t index) const {
    return report_.threads[run.thread].frames[index];
  }

  // Every class of the stacks once, innermost first.
  std::vector<std::string> classes() const {
    std::vector<std::string> names;
    for (const ClassRun& run : runs_) {
      if (std::find(names.begin(), names.end(), run.class_name) == names.end()) names.push_back(run.class_name);
    }
    return names;
  }

  static std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kMost; ++i) {
      const bool last = i + 1 == names.size();
      text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
    }
    return names.size() > kMost ? text + ", and more" : text;
  }

  CrashingClass found(const ClassRun& run, std::size_t entry) const {
    CrashingClass result;
    result.verdict = Verdict::found;
    result.class_name = run.class_name;
    result.thread = run.thread;
    result.first = run.frames.front();
    result.entry = entry;
    result.method = frame(run, entry).name.method();
    result.sure = kind_of(run.class_name) == ScopeKind::sure_class || !wish_.class_name.empty();
    result.others = classes();
    std::erase(result.others, run.class_name);
    const std::string inner = frame(run, result.first).name.method();
    result.sentence = wish_.functions.empty() ? fmt::format("class {}, from frame {}; crashing method {}::{}",
                                                            run.class_name, result.first, run.class_name, result.method)
                                              : fmt::format("handle {}, from frame {}; crashing function {}",
                                                            run.class_name, result.first, result.method);
    if (inner != result.method) result.sentence += fmt::format(", which was in {}", inner);
    if (!result.sure) result.sentence += "; if that is a namespace, name the class with --class";
    return result;
  }

  CrashingClass ambiguous() const {
    CrashingClass result;
    result.verdict = Verdict::ambiguous;
    result.others = classes();
    result.sentence = fmt::format(
        "the stacks are in {}, and none is marked as the one that crashed; choose with --class", listed(result.others));
    return result;
  }

  CrashingClass absent() const {
    CrashingClass result;
    for (const CrashThread& thread : report_.threads) {
      if (report_.crashed() != nullptr && !thread.crashed) continue;
      for (const CrashFrame& one : thread.frames) {
        if (is_foreign_frame(one)) continue;
        result.sentence = fmt::format(
            "no frame names a class: the innermost function of the program is {}; name the class with --class",
            one.name.qualified());
        return result;
      }
    }
    result.sentence = "no frame of the stack is the program's own code; name the class with --class";
    return result;
  }

  CrashingClass wished() const {
    bool has_class = false;
    for (const ClassRun& run : runs_) {
      if (!wish_.class_name.empty() && !is_wished(run.class_name)) continue;
      has_class = true;
      if (wish_.method.empty()) return found(run, run.frames.back());
      const auto named = std::find_if(run.frames.rbegin(), run.frames.rend(), [&](std::size_t index) {
        return frame(run, index).name.method() == wish_.method;
      });
      if (named != run.frames.rend()) return found(run, *named);
    }
    CrashingClass result;
    if (!wish_.functions.empty() && !has_class) {
      result.sentence = fmt::format(
          "no frame of the stack is a function of the headers that takes or makes a {}; is it the right header?",
          wish_.class_name);
      return result;
    }
    result.others = classes();
    const std::string wish = wish_.class_name.empty() ? fmt::format("a method {}", wish_.method)
                             : has_class              ? fmt::format("{}::{}", wish_.class_name, wish_.method)
                                                      : fmt::format("class {}", wish_.class_name);
    result.sentence = fmt::format("no frame of the stack is in {}; ", wish);
    result.sentence += result.others.empty() ? "no frame names a class at all"
                                             : fmt::format("the frames are in {}", listed(result.others));
    return result;
  }

  const CrashReport& report_;
  const ClassWish& wish_;
  std::map<std::string, ScopeKind> scopes_;
  std::vector<ClassRun> runs_;  // thread by thread, innermost first
};

bool is_foreign_scope(std::string_view scope) {
  static constexpr std::string_view kScopes[] = {"std",     "__gnu_cxx", "__gnu_debug", "__cxxabiv1",  "boost",
                                                 "absl",    "testing",   "__asan",      "__tsan",      "__ubsan",
                                                 "__lsan",  "__msan",    "__hwasan",    "__sanitizer", "__interception",
                                                 "__cxx11", "__1",       "__ndk1"};
  return std::find(std::begin(kScopes), std::end(kScopes), scope) != std::end(kScopes);
}

// Functions of libc that show up in stacks of crashes, and what the compilers' libraries call their own.
bool is_foreign_function(std::string_view name) {
  static constexpr std::string_view kNames[] = {"abort",
                                                "raise",
                                                "clone",
                                                "clone3",
                                                "start_thread",
                                                "malloc",
                                                "calloc",
                                                "realloc",
                                                "free",
                                                "memcpy",
                                                "memmove",
                                                "memset",
                                                "memcmp",
                                                "strlen",
                                                "strcmp",
                                                "strcpy",
                                                "exit",
                                                "tgkill",
                                                "gsignal",
                                                "kill",
                                                "nanosleep",
                                                "clock_nanosleep",
                                                "pthread_create",
                                                "pthread_join",
                                                "BaseThreadInitThunk",
                                                "RtlUserThreadStart",
                                                "invoke_main",
                                                "mainCRTStartup"};
  return name.starts_with("__") || name.starts_with("_dl_") || name.starts_with("_Unwind") || name == "_start" ||
         name.starts_with("pthread_") || name.starts_with("operator new") || name.starts_with("operator delete") ||
         std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Sources of libc and libsanitizer, as their debug information names them.
bool is_foreign_file(std::string_view file) {
  for (const std::string_view folder : {"./nptl/", "./stdlib/", "./assert/", "./libio/", "./string/", "./malloc/",
                                        "./csu/", "./signal/", "./elf/", "csu/../", "nptl/", "sysdeps/"}) {
    if (file.starts_with(folder)) return true;
  }
  return file.find("../sysdeps/") != std::string_view::npos || file.find("../csu/") != std::string_view::npos ||
         file.find("/libsanitizer/") != std::string_view::npos ||
         file.find("/compiler-rt/") != std::string_view::npos || file.find("/libstdc++-v3/") != std::string_view::npos;
}

}  // namespace

bool is_foreign_frame(const CrashFrame& frame) {
  if (frame.signal_handler || !frame.known()) return true;
  const std::vector<NamePart>& parts = frame.name.parts;
  if (is_foreign_scope(parts.front().name) && parts.size() > 1) return true;
  if (parts.size() == 1 && is_foreign_function(parts.front().name)) return true;
  return is_foreign_file(frame.file) || is_library_frame(frame);
}

std::string class_of(const CrashFrame& frame, const ClassWish& wish) {
  return wish.functions.contains(frame.name.qualified()) ? wish.class_name : frame.name.scope();
}

CrashingClass infer_class(const CrashReport& report, const ClassWish& wish) {
  return ClassFinder(report, wish).answer();
}

}  // namespace ravel
