// SPDX-License-Identifier: Apache-2.0
// is_runtime_library(): the libraries whose functions Ravel knows: those of the C and C++ runtime and of sanitizers,
// and its own. What they do is interposed, or is known not to matter. Every other library is the program's.
#pragma once

#include <string_view>

namespace ravel {

// The part of a path after its folders. Not substr, which can throw: code inside the target uses this.
constexpr std::string_view file_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path;
}

// `path`: of the file, or its name alone.
constexpr bool is_runtime_library(std::string_view path) {
  constexpr std::string_view kNames[] = {"ld-linux",     "libc.so",     "libm.so",      "libmvec.so",   "libpthread.so",
                                         "libdl.so",     "librt.so",    "libutil.so",   "libresolv.so", "libgcc_s.so",
                                         "libstdc++.so", "libc++.so",   "libc++abi.so", "libunwind.so", "libatomic.so",
                                         "libtsan.so",   "libravel.so", "libclang_rt.", "linux-vdso.so"};
  const std::string_view file = file_name(path);
  for (const std::string_view known : kNames) {
    if (file.starts_with(known)) return true;
  }
  return false;
}

}  // namespace ravel
