// SPDX-License-Identifier: Apache-2.0
// Functions that change the file system. Each announces the change and leaves the rest to libc.
#include <cstdarg>

#include "runtime/abi/export.h"
#include "runtime/abi/text_buffer.h"
#include "runtime/interpose/bound_addresses.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/real_symbols.h"

using namespace ravel;

namespace {

// Shared memory and semaphores that have a name are files that libc keeps in one directory.
void shared_memory_will_change(const char* kind, const char* name) {
  while (name != nullptr && *name == '/') ++name;
  char path[300];
  TextBuffer(path, sizeof path).add("/dev/shm/").add(kind).add(name);
  name_will_change(AT_FDCWD, path);
}

// The argument after `last`, which open has only when it may create something.
#define RAVEL_OPEN_MODE(last)                                     \
  mode_t mode = 0;                                                \
  if (((last)&O_CREAT) != 0 || ((last)&O_TMPFILE) == O_TMPFILE) { \
    va_list arguments;                                            \
    va_start(arguments, last);                                    \
    mode = va_arg(arguments, mode_t);                             \
    va_end(arguments);                                            \
  }

bool is_lock_command(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
}

// What belongs to the open file is put back before each execution (F_SETFL); new descriptors are noticed.
bool changes_descriptor(int command) {
  return command != F_GETFD && command != F_GETFL && command != F_SETFL && command != F_GETLK && command != F_DUPFD &&
         command != F_DUPFD_CLOEXEC;
}

}  // namespace

// Opening.

RAVEL_EXPORT int open(const char* path, int flags, ...) {
  RAVEL_OPEN_MODE(flags)
  file_will_open(AT_FDCWD, path, flags);
  return real().open(path, flags, mode);
}

RAVEL_EXPORT int open64(const char* path, int flags, ...) {
  RAVEL_OPEN_MODE(flags)
  file_will_open(AT_FDCWD, path, flags);
  return real().open64(path, flags, mode);
}

RAVEL_EXPORT int openat(int directory, const char* path, int flags, ...) {
  RAVEL_OPEN_MODE(flags)
  file_will_open(directory, path, flags);
  return real().openat(directory, path, flags, mode);
}

RAVEL_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  RAVEL_OPEN_MODE(flags)
  file_will_open(directory, path, flags);
  return real().openat64(directory, path, flags, mode);
}

RAVEL_EXPORT int __open_2(const char* path, int flags) {
  file_will_open(AT_FDCWD, path, flags);
  return real().__open_2(path, flags);
}

RAVEL_EXPORT int __open64_2(const char* path, int flags) {
  file_will_open(AT_FDCWD, path, flags);
  return real().__open64_2(path, flags);
}

RAVEL_EXPORT int __openat_2(int directory, const char* path, int flags) {
  file_will_open(directory, path, flags);
  return real().__openat_2(directory, path, flags);
}

RAVEL_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  file_will_open(directory, path, flags);
  return real().__openat64_2(directory, path, flags);
}

RAVEL_EXPORT int creat(const char* path, mode_t mode) {
  file_will_change(AT_FDCWD, path);
  return real().creat(path, mode);
}

RAVEL_EXPORT int creat64(const char* path, mode_t mode) {
  file_will_change(AT_FDCWD, path);
  return real().creat64(path, mode);
}

RAVEL_EXPORT FILE* fopen(const char* path, const char* mode) {
  file_will_open(path, mode);
  return real().fopen(path, mode);
}

RAVEL_EXPORT FILE* fopen64(const char* path, const char* mode) {
  file_will_open(path, mode);
  return real().fopen64(path, mode);
}

RAVEL_EXPORT FILE* freopen(const char* path, const char* mode, FILE* file) {
  file_will_open(path, mode);
  return real().freopen(path, mode, file);
}

RAVEL_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* file) {
  file_will_open(path, mode);
  return real().freopen64(path, mode, file);
}

// The names of temporary files are found out in the call. A private view needs their directory before, copies need them
// afterwards.

RAVEL_EXPORT int mkstemp(char* pattern) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkstemp(pattern));
}

RAVEL_EXPORT int mkstemp64(char* pattern) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkstemp64(pattern));
}

RAVEL_EXPORT int mkostemp(char* pattern, int flags) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkostemp(pattern, flags));
}

RAVEL_EXPORT int mkostemp64(char* pattern, int flags) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkostemp64(pattern, flags));
}

RAVEL_EXPORT int mkstemps(char* pattern, int suffix) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkstemps(pattern, suffix));
}

RAVEL_EXPORT int mkstemps64(char* pattern, int suffix) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkstemps64(pattern, suffix));
}

RAVEL_EXPORT int mkostemps(char* pattern, int suffix, int flags) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkostemps(pattern, suffix, flags));
}

RAVEL_EXPORT int mkostemps64(char* pattern, int suffix, int flags) {
  name_will_change(AT_FDCWD, pattern);
  return name_was_made(pattern, real().mkostemps64(pattern, suffix, flags));
}

RAVEL_EXPORT char* mkdtemp(char* pattern) noexcept {
  name_will_change(AT_FDCWD, pattern);
  char* const made = real().mkdtemp(pattern);
  name_was_made(pattern, made != nullptr ? 0 : -1);
  return made;
}

// Names.

RAVEL_EXPORT int unlink(const char* path) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().unlink(path);
}

RAVEL_EXPORT int unlinkat(int directory, const char* path, int flags) noexcept {
  name_will_change(directory, path);
  return real().unlinkat(directory, path, flags);
}

RAVEL_EXPORT int remove(const char* path) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().remove(path);
}

RAVEL_EXPORT int rename(const char* from, const char* to) noexcept {
  name_will_change(AT_FDCWD, from);
  name_will_change(AT_FDCWD, to);
  return rename_after_all(AT_FDCWD, from, AT_FDCWD, to, real().rename(from, to));
}

RAVEL_EXPORT int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  name_will_change(from_directory, from);
  name_will_change(to_directory, to);
  const int result = real().renameat(from_directory, from, to_directory, to);
  return rename_after_all(from_directory, from, to_directory, to, result);
}

RAVEL_EXPORT int renameat2(int from_directory, const char* from, int to_directory, const char* to,
                           unsigned flags) noexcept {
  name_will_change(from_directory, from);
  name_will_change(to_directory, to);
  const int result = real().renameat2(from_directory, from, to_directory, to, flags);
  return flags == 0 ? rename_after_all(from_directory, from, to_directory, to, result) : result;
}

RAVEL_EXPORT int link(const char* from, const char* to) noexcept {
  file_will_change(AT_FDCWD, from);
  name_will_change(AT_FDCWD, to);
  return real().link(from, to);
}

RAVEL_EXPORT int linkat(int from_directory, const char* from, int to_directory, const char* to, int flags) noexcept {
  file_will_change(from_directory, from);
  name_will_change(to_directory, to);
  return real().linkat(from_directory, from, to_directory, to, flags);
}

RAVEL_EXPORT int symlink(const char* target, const char* path) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().symlink(target, path);
}

RAVEL_EXPORT int symlinkat(const char* target, int directory, const char* path) noexcept {
  name_will_change(directory, path);
  return real().symlinkat(target, directory, path);
}

RAVEL_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().mkdir(path, mode);
}

RAVEL_EXPORT int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  name_will_change(directory, path);
  return real().mkdirat(directory, path, mode);
}

RAVEL_EXPORT int rmdir(const char* path) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().rmdir(path);
}

RAVEL_EXPORT int mknod(const char* path, mode_t mode, dev_t device) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().mknod(path, mode, device);
}

RAVEL_EXPORT int mknodat(int directory, const char* path, mode_t mode, dev_t device) noexcept {
  name_will_change(directory, path);
  return real().mknodat(directory, path, mode, device);
}

RAVEL_EXPORT int mkfifo(const char* path, mode_t mode) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().mkfifo(path, mode);
}

RAVEL_EXPORT int mkfifoat(int directory, const char* path, mode_t mode) noexcept {
  name_will_change(directory, path);
  return real().mkfifoat(directory, path, mode);
}

RAVEL_EXPORT int bind(int descriptor, const sockaddr* address, socklen_t length) noexcept {
  address_will_be_bound(address, length);
  return bind_address(descriptor, address, length);
}

RAVEL_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  shared_memory_will_change("", name);
  return real().shm_open(name, flags, mode);
}

RAVEL_EXPORT int shm_unlink(const char* name) {
  shared_memory_will_change("", name);
  return real().shm_unlink(name);
}

RAVEL_EXPORT sem_t* sem_open(const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  const unsigned value = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  shared_memory_will_change("sem.", name);
  return real().sem_open(name, flags, mode, value);
}

RAVEL_EXPORT int sem_unlink(const char* name) noexcept {
  shared_memory_will_change("sem.", name);
  return real().sem_unlink(name);
}

// Contents and attributes. A descriptor that can be written to was announced when it was opened; attributes can be
// changed through any, and locks are kept with the file.

RAVEL_EXPORT int truncate(const char* path, off_t size) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().truncate(path, size);
}

RAVEL_EXPORT int truncate64(const char* path, off64_t size) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().truncate64(path, size);
}

RAVEL_EXPORT int chmod(const char* path, mode_t mode) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().chmod(path, mode);
}

RAVEL_EXPORT int fchmod(int descriptor, mode_t mode) noexcept {
  file_will_change(descriptor);
  return real().fchmod(descriptor, mode);
}

RAVEL_EXPORT int fchmodat(int directory, const char* path, mode_t mode, int flags) noexcept {
  file_will_change(directory, path);
  return real().fchmodat(directory, path, mode, flags);
}

RAVEL_EXPORT int chown(const char* path, uid_t user, gid_t group) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().chown(path, user, group);
}

RAVEL_EXPORT int lchown(const char* path, uid_t user, gid_t group) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().lchown(path, user, group);
}

RAVEL_EXPORT int fchown(int descriptor, uid_t user, gid_t group) noexcept {
  file_will_change(descriptor);
  return real().fchown(descriptor, user, group);
}

RAVEL_EXPORT int fchownat(int directory, const char* path, uid_t user, gid_t group, int flags) noexcept {
  file_will_change(directory, path);
  return real().fchownat(directory, path, user, group, flags);
}

RAVEL_EXPORT int utime(const char* path, const utimbuf* times) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().utime(path, times);
}

RAVEL_EXPORT int utimes(const char* path, const timeval times[2]) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().utimes(path, times);
}

RAVEL_EXPORT int lutimes(const char* path, const timeval times[2]) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().lutimes(path, times);
}

RAVEL_EXPORT int futimes(int descriptor, const timeval times[2]) noexcept {
  file_will_change(descriptor);
  return real().futimes(descriptor, times);
}

RAVEL_EXPORT int futimesat(int directory, const char* path, const timeval times[2]) noexcept {
  file_will_change(directory, path);
  return real().futimesat(directory, path, times);
}

RAVEL_EXPORT int utimensat(int directory, const char* path, const timespec times[2], int flags) noexcept {
  file_will_change(directory, path);
  return real().utimensat(directory, path, times, flags);
}

RAVEL_EXPORT int futimens(int descriptor, const timespec times[2]) noexcept {
  file_will_change(descriptor);
  return real().futimens(descriptor, times);
}

RAVEL_EXPORT int setxattr(const char* path, const char* name, const void* value, size_t size, int flags) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().setxattr(path, name, value, size, flags);
}

RAVEL_EXPORT int lsetxattr(const char* path, const char* name, const void* value, size_t size, int flags) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().lsetxattr(path, name, value, size, flags);
}

RAVEL_EXPORT int fsetxattr(int descriptor, const char* name, const void* value, size_t size, int flags) noexcept {
  file_will_change(descriptor);
  return real().fsetxattr(descriptor, name, value, size, flags);
}

RAVEL_EXPORT int removexattr(const char* path, const char* name) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().removexattr(path, name);
}

RAVEL_EXPORT int lremovexattr(const char* path, const char* name) noexcept {
  name_will_change(AT_FDCWD, path);
  return real().lremovexattr(path, name);
}

RAVEL_EXPORT int fremovexattr(int descriptor, const char* name) noexcept {
  file_will_change(descriptor);
  return real().fremovexattr(descriptor, name);
}

RAVEL_EXPORT int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);  // a number or a pointer: in the same register
  va_end(arguments);
  if (is_lock_command(command)) file_will_change(descriptor);
  if (changes_descriptor(command)) cannot_be_put_back();
  return real().fcntl(descriptor, command, argument);
}

RAVEL_EXPORT int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  if (is_lock_command(command)) file_will_change(descriptor);
  if (changes_descriptor(command)) cannot_be_put_back();
  return real().fcntl64(descriptor, command, argument);
}

RAVEL_EXPORT int lockf(int descriptor, int command, off_t length) {
  cannot_be_put_back();
  file_will_change(descriptor);
  return real().lockf(descriptor, command, length);
}

RAVEL_EXPORT int lockf64(int descriptor, int command, off64_t length) {
  cannot_be_put_back();
  file_will_change(descriptor);
  return real().lockf64(descriptor, command, length);
}

RAVEL_EXPORT int flock(int descriptor, int operation) noexcept {
  cannot_be_put_back();
  file_will_change(descriptor);
  return real().flock(descriptor, operation);
}

// A watch is for a file as it is now; what happens in a layer above it goes unnoticed.
RAVEL_EXPORT int inotify_add_watch(int descriptor, const char* path, uint32_t events) noexcept {
  file_will_change(AT_FDCWD, path);
  return real().inotify_add_watch(descriptor, path, events);
}

// Programs that the target starts tell nothing.

RAVEL_EXPORT int system(const char* command) {
  process_will_start();
  return real().system(command);
}

RAVEL_EXPORT FILE* popen(const char* command, const char* mode) {
  process_will_start();
  return real().popen(command, mode);
}

RAVEL_EXPORT int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  process_will_start();
  return real().posix_spawn(child, path, actions, attributes, words, environment);
}

RAVEL_EXPORT int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  process_will_start();
  return real().posix_spawnp(child, file, actions, attributes, words, environment);
}
