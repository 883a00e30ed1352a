// SPDX-License-Identifier: Apache-2.0
// LaunchOptions: how a target is started. Part of every schedule: a replay starts the target the same way.
#pragma once

#include <cstdint>

namespace ravel {

// free: the program's own threads run in parallel, with noise. Nothing is decided; the engine is not involved.
enum class CarrierKind : std::uint8_t { fiber, thread, free };
enum class PointLevel : std::uint8_t { sync, shared, all };

enum class MemoryModel : std::uint8_t {
  sc,   // atomics take effect in one order that all tasks see
  c11,  // a load may return any store that the C++ memory model allows
};

// Where instrumented functions begin and end: which of these places are scheduling points.
enum class CallPoints : std::uint8_t {
  none,
  listed,  // of the functions whose beginnings are among the known code locations
  all,
};

// Where the changes go that executions make to files.
enum class FileView : std::uint8_t {
  apart,   // each execution has its own view of the disk, which is gone with it; or as below where there can be none
  copied,  // to the disk: files are copied before, and put back afterwards
  shared,  // to the disk
};

constexpr const char* file_view_name(FileView view) {
  return view == FileView::apart ? "private" : view == FileView::copied ? "copied" : "shared";
}
constexpr const char* memory_model_name(MemoryModel model) { return model == MemoryModel::sc ? "sc" : "c11"; }
constexpr const char* carrier_name(CarrierKind kind) {
  return kind == CarrierKind::fiber ? "fiber" : kind == CarrierKind::thread ? "thread" : "free";
}
constexpr const char* point_level_name(PointLevel level) {
  return level == PointLevel::sync ? "sync" : level == PointLevel::shared ? "shared" : "all";
}

struct LaunchOptions {
  CarrierKind carrier = CarrierKind::fiber;
  PointLevel points = PointLevel::shared;
  std::uint8_t single = 0;              // 1: one execution in the started process itself, no fork server (--fresh, gdb)
  std::uint8_t processor = 0;           // 1 + the processor executions are pinned to; 0: any. Not part of a schedule
  std::uint32_t identities = 8;         // donor threads prepared before the fork
  std::uint64_t max_steps = 1'000'000;  // scheduling points after which an execution is cut
  std::uint64_t random_seed = 1;        // for rand, random_device, getrandom in the program
  MemoryModel memory_model = MemoryModel::c11;
  FileView files = FileView::apart;
  std::uint8_t races = 1;          // look for data races
  std::uint8_t resident = 1;       // 0: every execution is a fork of its own (--no-resident). Not part of a schedule
  std::uint8_t heap = 1;           // look for misuse of the heap
  std::uint8_t uninitialised = 0;  // look for reads of heap memory that was never written
  CallPoints calls = CallPoints::none;
  std::uint32_t history = 32;          // stores remembered per atomic location
  std::uint32_t quarantine_kb = 1024;  // freed memory held back before it is reused

  // A call of ravel::explore: control begins there and not at the first task, and its body is the execution.
  std::uint32_t explored_call = 0;    // which call of its test case, from 1; 0: the whole program is the execution
  std::uint64_t explored_case = 0;    // the hash of the name of the test case; 0: the program has none
  std::uint64_t explored_failed = 0;  // bit set: which calls before it in the case failed

  // Races must be found to be reported; and `shared` makes points of the accesses that race.
  constexpr bool finds_races() const { return races != 0 || points == PointLevel::shared; }
};

}  // namespace ravel
