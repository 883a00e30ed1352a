// SPDX-License-Identifier: Apache-2.0
// Announces changes on disk before they happen, so that they can be kept apart from it (runtime/files/private_view.h)
// or put back (runtime/files/file_copies.h). Not a scheduling point, and not an operation: the call itself is left to
// libc.
//
// Who calls it: the exported functions that change files, first thing; start-up and the fork server. Thread safety:
// only the running task gets through. errno is preserved.
#pragma once

#include "runtime/files/open_files.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/resident/residence.h"

struct sockaddr;
struct sockaddr_un;

namespace ravel {

struct Channel;

namespace internal {
extern constinit bool g_files_matter;  // set at start-up: FileView is not `shared`
void announce_name(int directory, const char* path);
void announce_made(const char* path);
void announce_file(int directory, const char* path);
void announce_file(int descriptor);
void announce_processes();
}  // namespace internal

inline bool files_matter() { return internal::g_files_matter && under_engine(); }

// At start-up, and where the program is about to have a second task: `single` if this process is the execution.
void start_files(Channel& channel);
void prepare_files_for_tasks(bool single);

// In the fork server: is there anything to do in the next two functions? Each page that they touch costs every
// execution.
bool executions_have_files(const OpenFiles& files);
// In an execution, in this order: when it was forked, and when it begins. `files`: what the server remembered.
void files_after_fork(const OpenFiles& files);
void begin_files(OpenFiles& files);

// A name may come, go or lead elsewhere.
inline void name_will_change(int directory, const char* path) {
  if (files_matter()) internal::announce_name(directory, path);
}
// Afterwards, where only the call finds out the name (mkstemp). Returns the result of the call, which was negative if
// it has failed.
inline int name_was_made(const char* path, int result) {
  if (result >= 0 && files_matter()) internal::announce_made(path);
  return result;
}
// A file that there may be, by its name or open, may change, or come to be.
inline void file_will_change(int directory, const char* path) {
  if (files_matter()) internal::announce_file(directory, path);
}
inline void file_will_change(int descriptor) {
  if (files_matter()) internal::announce_file(descriptor);
}
// As open(2) has it.
void file_will_open(int directory, const char* path, int flags);
// As fopen has it: "r" changes nothing.
void file_will_open(const char* path, const char* mode);
// After a rename that has failed: moves the file if only our layers are in the way. Returns what the call should.
int rename_after_all(int from_directory, const char* from, int to_directory, const char* to, int result);
// An AF_UNIX address that is a path: it will be a file; and the same address past our layers. False: there is none.
bool address_on_disk(const sockaddr* address, unsigned length, sockaddr_un& on_disk);
void address_will_be_bound(const sockaddr* address, unsigned length);
// syscall(2).
void system_call_may_change_files(long number, const long (&arguments)[6]);
// Another process is about to be started, which may change files without telling.
inline void process_will_start() {
  cannot_be_put_back();
  if (files_matter()) internal::announce_processes();
}

}  // namespace ravel
