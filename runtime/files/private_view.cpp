// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/private_view.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "runtime/files/copying.h"
#include "runtime/files/mount_table.h"
#include "runtime/files/namespaces.h"
#include "runtime/files/paths.h"
#include "runtime/files/raw_files.h"

namespace ravel {
namespace {

constinit PrivateView g_view;

// Too large for the stack of a task. Only the running task is here.
struct Scratch {
  char directory[kPathBytes];
  char current[kPathBytes];
  char options[1024];
  char table[1U << 18];
};
constinit Scratch g_scratch = {};

struct Look {
  int error = 0;
  std::uint16_t mode = 0;
  std::uint64_t mount = 0;  // 0: the kernel does not say
};

Look look_at(int directory, const char* path, int flags) {
  struct statx info {};
  Look look;
  look.error = static_cast<int>(-raw_syscall(SYS_statx, directory, raw_of(path), flags | AT_STATX_DONT_SYNC,
                                             STATX_TYPE | STATX_MNT_ID, raw_of(&info)));
  look.mode = info.stx_mode;
  if ((info.stx_mask & STATX_MNT_ID) != 0) look.mount = info.stx_mnt_id;
  return look;
}

int make_directory(const char* path) { return static_cast<int>(raw_syscall(SYS_mkdir, raw_of(path), 0700)); }

int mount_at(const char* what, const char* where, const char* type, unsigned long flags, const char* options) {
  const long error =
      raw_syscall(SYS_mount, raw_of(what), raw_of(where), raw_of(type), static_cast<long>(flags), raw_of(options));
  return static_cast<int>(-error);
}

unsigned long mount_flags_of(const char* directory) {
  struct statfs info {};
  if (raw_syscall(SYS_statfs, raw_of(directory), raw_of(&info)) != 0) return 0;
  unsigned long flags = 0;
  if ((info.f_flags & ST_NOSUID) != 0) flags |= MS_NOSUID;
  if ((info.f_flags & ST_NODEV) != 0) flags |= MS_NODEV;
  if ((info.f_flags & ST_NOEXEC) != 0) flags |= MS_NOEXEC;
  if ((info.f_flags & ST_NOATIME) != 0) flags |= MS_NOATIME;
  return flags;
}

// Moves everything from one directory of the same file system to another.
void move_entries(const char* from, const char* to) {
  const int source = raw_open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int target = raw_open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (bool again = source >= 0 && target >= 0; again;) {
    raw_seek(source, 0, SEEK_SET);
    const long size = raw_syscall(SYS_getdents64, source, raw_of(g_scratch.table), sizeof g_scratch.table);
    again = false;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(g_scratch.table + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
      const long error = raw_syscall(SYS_renameat, source, raw_of(entry->d_name), target, raw_of(entry->d_name));
      again = again || error == 0;  // a directory that shrinks while it is read may hide some
    }
  }
  if (source >= 0) raw_close(source);
  if (target >= 0) raw_close(target);
}

}  // namespace

PrivateView& private_view() { return g_view; }

bool PrivateView::is_apart(std::uint64_t mount) const {
  for (std::size_t i = 0; mount != 0 && i < layer_count_; ++i) {
    if (layers_[i].here && layers_[i].mount == mount) return true;
  }
  return false;
}

Change PrivateView::name_changes(int directory, const char* path) {
  if (path == nullptr || path[0] == '\0') return Change::harmless;
  if (!directory_part(path, g_scratch.current)) return Change::harmless;
  const Look look = look_at(directory, g_scratch.current, 0);
  if (look.error != 0) return Change::harmless;  // the call will fail, too
  if (is_apart(look.mount)) return Change::apart;
  return change_in({g_scratch.directory, real_name(directory, g_scratch.current, g_scratch.directory)});
}

Change PrivateView::file_changes(int directory, const char* path) {
  if (path == nullptr || path[0] == '\0') return Change::harmless;
  const Look look = look_at(directory, path, 0);
  if (look.error != 0) return name_changes(directory, path);
  if (is_apart(look.mount)) return Change::apart;
  if (!S_ISREG(look.mode) && !S_ISDIR(look.mode)) return Change::harmless;  // devices, pipes
  std::size_t length = real_name(directory, path, g_scratch.directory);
  if (!S_ISDIR(look.mode)) {
    while (length > 0 && g_scratch.directory[length - 1] != '/') --length;
    if (length > 1) --length;
  }
  return change_in({g_scratch.directory, length});
}

Change PrivateView::file_changes(int descriptor) {
  const Look look = look_at(descriptor, "", AT_EMPTY_PATH);
  if (look.error != 0 || (!S_ISREG(look.mode) && !S_ISDIR(look.mode))) return Change::harmless;
  if (is_apart(look.mount)) return Change::apart;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  struct stat opened {};
  struct stat named {};
  const std::size_t length = name_of_descriptor(descriptor, g_scratch.directory);
  raw_stat(descriptor, opened);
  const bool has_name = length > 0 && raw_stat_at(AT_FDCWD, g_scratch.directory, named) == 0 &&
                        named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
  if (!has_name) return Change::harmless;  // it was removed: nobody will find it
  return file_changes(AT_FDCWD, link);
}

// Where the directory itself can be seen that the layer covers.
void PrivateView::name_of_real(const Layer& layer, char (&name)[64]) const {
  snprintf(name, sizeof name, "%s/r%u", layer.sealed ? "/proc/fs" : base(), static_cast<unsigned>(&layer - layers_));
}

std::size_t PrivateView::name_on_disk(const char* path, char* name, std::size_t capacity) {
  const std::size_t length = real_name(AT_FDCWD, path, g_scratch.directory);
  const Layer* const layer = length == 0 ? nullptr : layer_of({g_scratch.directory, length});
  if (layer == nullptr || !layer->here) return 0;
  char real[64];
  name_of_real(*layer, real);
  const int size = snprintf(name, capacity, "%s%s", real, g_scratch.directory + layer->length);
  return size > 0 && static_cast<std::size_t>(size) < capacity ? static_cast<std::size_t>(size) : 0;
}

// The number of the disk that a name is on in reality; 0: it is in no layer.
std::uint64_t PrivateView::disk_of(int directory, const char* path) {
  if (!directory_part(path, g_scratch.current)) return 0;
  const std::size_t length = real_name(directory, g_scratch.current, g_scratch.directory);
  const Layer* const layer = length == 0 ? nullptr : layer_of({g_scratch.directory, length});
  if (layer == nullptr || !layer->here) return 0;
  char real[64];
  name_of_real(*layer, real);
  struct stat info {};
  return raw_stat_at(AT_FDCWD, real, info) == 0 ? info.st_dev : 0;
}

bool PrivateView::on_one_disk(int directory, const char* path, int other_directory, const char* other) {
  const std::uint64_t disk = disk_of(directory, path);
  return disk != 0 && disk == disk_of(other_directory, other);
}

// The innermost; a new one if there is none.
PrivateView::Layer* PrivateView::layer_of(std::string_view directory) {
  Layer* innermost = nullptr;
  for (std::size_t i = 0; i < layer_count_; ++i) {
    if (!lies_in(directory, {layers_[i].path, layers_[i].length})) continue;
    if (innermost == nullptr || innermost->length < layers_[i].length) innermost = &layers_[i];
  }
  if (innermost != nullptr) return innermost;
  if (layer_count_ == kMost) return nullptr;
  Layer& layer = layers_[layer_count_];
  layer = {};
  return &layer;
}

// `directory` is in g_scratch.directory.
Change PrivateView::change_in(std::string_view directory) {
  if (directory.empty()) return Change::harmless;
  if (trouble_ != 0) return Change::real;
  Layer* const layer = layer_of(directory);
  if (layer == nullptr) return Change::real;
  if (layer->here) return Change::apart;
  if (layer->length == 0) {
    const std::string_view table(g_scratch.table,
                                 raw_read_text("/proc/self/mountinfo", g_scratch.table, sizeof g_scratch.table));
    const Cover cover = cover_for(table, directory);
    if (cover.coverage == Coverable::needless) return Change::harmless;
    if (cover.coverage == Coverable::impossible || prepare_to_enter() != 0) return Change::real;
    layer->length = length_for(directory, cover.length);
    memcpy(layer->path, directory.data(), layer->length);
    layer->path[layer->length] = '\0';
  }
  return put(*layer);
}

// A change in a directory makes the kernel copy the directory to the upper layer, and all between it and the layer's
// top, with their owners. So all of those must have an owner that this process can give.
std::size_t PrivateView::length_for(std::string_view directory, std::size_t least) const {
  std::size_t length = least;
  for (std::size_t end = least + 1; end <= directory.size(); ++end) {
    if (end < directory.size() && directory[end] != '/') continue;
    memcpy(g_scratch.current, directory.data(), end);
    g_scratch.current[end] = '\0';
    struct stat info {};
    if (raw_stat_at(AT_FDCWD, g_scratch.current, info) == 0 && !can_own(info.st_uid, info.st_gid)) length = end;
  }
  return length;
}

int PrivateView::prepare_to_enter() {
  if (trouble_ == 0) trouble_ = enter_user_namespace();
  return trouble_;
}

int PrivateView::enter() {
  if (entered_ || prepare_to_enter() != 0) return trouble_;
  trouble_ = enter_mount_namespace();
  const MountRight right;
  if (trouble_ == 0) trouble_ = mount_at(kOwnMount, base(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=700");
  entered_ = trouble_ == 0;
  return trouble_;
}

Change PrivateView::put(Layer& layer) {
  if (enter() != 0) return Change::real;
  const auto number = static_cast<std::size_t>(&layer - layers_);
  const MountRight right;  // also for opening again what the program itself has made inaccessible since
  if (!sealing_) moved_.remember_below({layer.path, layer.length});
  const long current = raw_syscall(SYS_getcwd, raw_of(g_scratch.current), sizeof g_scratch.current);
  int beneath[kMost];
  for (std::size_t i = 0; i < layer_count_; ++i) {
    const bool is = i != number && lies_in({layers_[i].path, layers_[i].length}, {layer.path, layer.length});
    beneath[i] = is ? raw_open(layers_[i].path, O_PATH | O_CLOEXEC) : -1;
  }
  if (mount_overlay(layer, number) != 0) {
    moved_.open_again();
    layer.length = 0;
    return Change::real;
  }
  show_again(beneath);
  if (number == layer_count_) ++layer_count_;
  layer.here = true;
  layer.mount = look_at(AT_FDCWD, layer.path, 0).mount;
  if (current > 0 && g_scratch.current[0] == '/') raw_syscall(SYS_chdir, raw_of(g_scratch.current));
  moved_.open_again();
  return Change::apart;
}

// Layers that the new one hides.
void PrivateView::show_again(const int* descriptors) {
  for (std::size_t i = 0; i < layer_count_; ++i) {
    if (descriptors[i] < 0) continue;
    char mounted[64];
    snprintf(mounted, sizeof mounted, "/proc/self/fd/%d", descriptors[i]);
    mount_at(mounted, layers_[i].path, nullptr, MS_BIND, nullptr);
    raw_close(descriptors[i]);
    if (layers_[i].here) layers_[i].mount = look_at(AT_FDCWD, layers_[i].path, 0).mount;
  }
}

int PrivateView::mount_overlay(const Layer& layer, std::size_t number) {
  const auto n = static_cast<unsigned>(number);
  char real[64];
  char upper[64];
  char work[64];
  name_of_real(layer, real);
  snprintf(upper, sizeof upper, "%s/%c%u", base(), sealing_ ? 's' : 'u', n);
  snprintf(work, sizeof work, "%s/%c%u", base(), sealing_ ? 't' : 'w', n);
  make_directory(upper);
  make_directory(work);
  struct stat info {};
  // An overlay takes what is said of its top directory from the upper layer.
  if (raw_stat_at(AT_FDCWD, layer.path, info) == 0) copy_attributes(info, AT_FDCWD, upper);
  if (!layer.sealed) {
    make_directory(real);
    if (const int error = mount_at(layer.path, real, nullptr, MS_BIND, nullptr); error != 0) return error;
  }
  // Renaming a directory of a lower layer needs redirect_dir, which a user namespace does not give.
  const char* const extras[] = {!in_own_user_namespace() ? ",redirect_dir=on,index=off,metacopy=off" : ",userxattr",
                                ""};
  int error = 0;
  for (const char* extra : extras) {
    if (layer.sealed) {
      snprintf(g_scratch.options, sizeof g_scratch.options, "lowerdir=/proc/fs/l%u:%s,upperdir=%s,workdir=%s%s", n,
               real, upper, work, extra);
    } else {
      snprintf(g_scratch.options, sizeof g_scratch.options, "lowerdir=%s,upperdir=%s,workdir=%s%s", real, upper, work,
               extra);
    }
    error = mount_at(kOwnMount, layer.path, "overlay", mount_flags_of(layer.path), g_scratch.options);
    if (error == 0) break;
  }
  return error;
}

void PrivateView::seal() {
  if (!entered_) return;
  const MountRight right;
  char upper[64];
  char lower[64];
  sealing_ = true;
  for (std::size_t i = 0; i < layer_count_; ++i) {
    snprintf(upper, sizeof upper, "/proc/fs/u%u", static_cast<unsigned>(i));
    snprintf(lower, sizeof lower, "/proc/fs/l%u", static_cast<unsigned>(i));
    make_directory(lower);
    layers_[i].sealed = true;
    // To another directory: this one is in use by an overlay, and the kernel would complain of each execution.
    moved_.remember_below({layers_[i].path, layers_[i].length});
    move_entries(upper, lower);
    put(layers_[i]);
    layers_[i].mapped = moved_.has_mappings();
  }
  sealing_ = false;
  make_directory("/proc/fs/next");
}

void PrivateView::after_fork() {
  if (!entered_) return;  // and nothing is written: a page of its own would cost every execution
  below_server_ = true;
  entered_ = false;
  for (std::size_t i = 0; i < layer_count_; ++i) layers_[i].here = false;
  for (std::size_t i = 0; i < layer_count_; ++i) {
    if (layers_[i].mapped) put(layers_[i]);
  }
}

}  // namespace ravel
