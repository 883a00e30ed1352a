// SPDX-License-Identifier: Apache-2.0
// One hand-made finding of every kind, about an imaginary bank: what the golden reports show.
#pragma once

#include <csignal>
#include <memory>
#include <vector>

#include "reports/campaign_result.h"
#include "tests/reports/table_symbols.h"

namespace ravel {

class SampleFindings {
 public:
  SampleFindings() : tasks_(4) {
    for (TaskId id = 1; id < tasks_.size(); ++id) {
      tasks_[id].creator = 0;
      tasks_[id].create_pc = created_;
    }
    tasks_[0].stack_low = 0x7000'0000;
    tasks_[0].stack_high = 0x7080'0000;
    tasks_[1].stack_low = 0x6000'0000;
    tasks_[1].stack_high = 0x6080'0000;
    std::snprintf(tasks_[2].name, sizeof tasks_[2].name, "auditor");
  }

  ResolvedFinding resolve(FindingKind kind) { return resolve_finding(*record(kind), tasks_, symbols_); }

  // With what a campaign adds.
  ReportedFinding reported(FindingKind kind) {
    ReportedFinding result;
    result.id = static_cast<std::uint32_t>(kind) + 1;
    result.finding = resolve(kind);
    result.first_execution = 4;
    result.count = 12;
    result.schedule_path = std::string(".ravel/") + std::to_string(result.id) + "-" + finding_name(kind) + ".ravel";
    result.preemptions = 1;
    result.tasks = 3;
    result.output = "opening the bank\n\x1b[31mtransfer 1\x1b[0m\r\nlast line without end";
    result.replayed = true;
    return result;
  }

  std::unique_ptr<FindingRecord> record(FindingKind kind) {
    auto record = std::make_unique<FindingRecord>();
    record->kind = kind;
    record->step = 57;
    switch (kind) {
      case FindingKind::data_race: {
        about(*record, balance_, 4);
        ParticipantRecord& write = add_part(*record, 1, {deposit_, worker_, thread_start_});
        doing(write, OperationKind::write, balance_, 4);
        write.value_known = 1;
        write.operation.value = 0xffff'fff9;  // -7
        write.held[0] = savings_ + 40;
        write.held_pc[0][0] = lock_;
        write.held_pc[0][1] = transfer_first_;
        ParticipantRecord& read = add_part(*record, 2, {total_, auditor_, thread_start_});
        doing(read, OperationKind::read, balance_, 4);
        break;
      }
      case FindingKind::deadlock: {
        ParticipantRecord& first = add_part(*record, 1, {runtime_, lock_, transfer_, worker_, thread_start_});
        doing(first, OperationKind::mutex_lock, savings_ + 40);
        first.blocked = 1;
        first.holder = 2;
        first.held[0] = 0x7000'1000;
        first.held_pc[0][0] = lock_;
        first.held_pc[0][1] = transfer_first_;
        ParticipantRecord& second = add_part(*record, 2, {runtime_, lock_, audit_, auditor_, thread_start_});
        doing(second, OperationKind::mutex_lock, 0x7000'1000);
        second.blocked = 1;
        second.holder = 1;
        second.held[0] = savings_ + 40;
        second.held[1] = 0x9000'0000;
        ParticipantRecord& main = add_part(*record, 0, {runtime_, join_, main_, process_start_});
        doing(main, OperationKind::task_join, 1);
        main.blocked = 1;
        record->participants_total = 20;
        break;
      }
      case FindingKind::lost_wakeup: {
        ParticipantRecord& waiter = add_part(*record, 2, {runtime_, wait_, audit_, auditor_, thread_start_});
        doing(waiter, OperationKind::condition_wake, 0x9000'0040);
        waiter.blocked = 1;
        ParticipantRecord& main = add_part(*record, 0, {runtime_, join_, main_, process_start_});
        doing(main, OperationKind::task_join, 2);
        main.blocked = 1;
        break;
      }
      case FindingKind::livelock: {
        doing(add_part(*record, 1, {runtime_, transfer_, worker_}), OperationKind::mutex_try_lock, 0x9000'0000);
        doing(add_part(*record, 2, {runtime_, audit_, auditor_}), OperationKind::atomic_cas, balance_, 4);
        break;
      }
      case FindingKind::assertion: {
        set_message(*record, "balance >= 0");
        add_part(*record, 1, {runtime_, assert_fail_, deposit_, worker_, thread_start_});
        break;
      }
      case FindingKind::abort: {
        add_part(*record, 2, {runtime_, abort_, audit_, auditor_, thread_start_});
        break;
      }
      case FindingKind::signal: {
        record->signal_number = SIGSEGV;
        record->fault_address = 16;
        add_part(*record, 1, {runtime_, signal_return_, strlen_, deposit_, worker_, thread_start_});
        break;
      }
      case FindingKind::uncaught_exception: {
        set_message(*record, "std::runtime_error: account is closed");
        add_part(*record, 2, {runtime_, throw_, audit_, long_name_, auditor_, thread_start_});
        break;
      }
      case FindingKind::use_after_free: {
        about(*record, 0x9000'0108, 8);
        block(*record, 0x9000'0100, 24);
        doing(add_part(*record, 1, {deposit_, worker_}), OperationKind::write, 0x9000'0108, 8);
        break;
      }
      case FindingKind::double_free: {
        about(*record, 0x9000'0100, 0);
        block(*record, 0x9000'0100, 24);
        add_part(*record, 1, {our_free_, deposit_, worker_});
        break;
      }
      case FindingKind::bad_free: {
        set_message(*record, "memory allocated by new[] was freed by free");
        about(*record, 0x9000'0100, 0);
        block(*record, 0x9000'0100, 24);
        record->block.freed_by = kNoTask;
        record->block.freed.count = 0;
        add_part(*record, 1, {our_free_, deposit_, worker_});
        break;
      }
      case FindingKind::uninitialised_read: {
        about(*record, 0x9000'0100, 4);
        block(*record, 0x9000'0100, 24);
        record->block.freed_by = kNoTask;
        record->block.freed.count = 0;
        doing(add_part(*record, 2, {total_, auditor_}), OperationKind::read, 0x9000'0100, 4);
        break;
      }
      case FindingKind::lock_misuse: {
        set_message(*record, "T1 unlocks a mutex that T2 holds");
        doing(add_part(*record, 1, {runtime_, unlock_, deposit_, worker_}), OperationKind::mutex_unlock, 0x6000'0010);
        break;
      }
      case FindingKind::exit_code: {
        set_message(*record, "the program ended with exit code 3");
        break;
      }
      case FindingKind::timeout: {
        set_message(*record, "the execution did not end within 10 s; T1 is in read(2)");
        add_part(*record, 1, {stripped_, no_file_});
        break;
      }
      case FindingKind::leak_of_lock: {
        set_message(*record, "T1 ended while it held a lock");
        ParticipantRecord& part = add_part(*record, 1, {runtime_, thread_start_});
        doing(part, OperationKind::task_end, 1);
        part.held[0] = savings_ + 40;
        part.held_pc[0][0] = transfer_first_;
        break;
      }
      case FindingKind::wrong_output: {
        set_message(*record, "line 3 of the output is not the expected one");
        break;
      }
      case FindingKind::user: {
        set_message(*record, "invariant broken: money was created");
        add_part(*record, 0, {audit_, main_, process_start_});
        break;
      }
    }
    return record;
  }

  // Races on memory of every kind, for reports that differ by it.
  std::unique_ptr<FindingRecord> race_at(std::uint64_t address, std::uint16_t size = 4) {
    auto record = std::make_unique<FindingRecord>();
    record->kind = FindingKind::data_race;
    record->step = 57;
    about(*record, address, size);
    doing(add_part(*record, 1, {deposit_, worker_, thread_start_}), OperationKind::write, address, size);
    doing(add_part(*record, 0, {total_, main_, process_start_}), OperationKind::read, address, size);
    return record;
  }
  // Allocated by T0 and freed by T2.
  void block(FindingRecord& record, std::uint64_t start, std::uint64_t size) {
    record.block.start = start;
    record.block.size = size;
    record.block.allocated_by = 0;
    record.block.freed_by = 2;
    for (const std::uint64_t pc : {runtime_, new_, open_, main_, process_start_}) {
      record.block.allocated.frames[record.block.allocated.count++] = pc;
    }
    for (const std::uint64_t pc : {our_free_, delete_, audit_, auditor_, thread_start_}) {
      record.block.freed.frames[record.block.freed.count++] = pc;
    }
  }
  static void about(FindingRecord& record, std::uint64_t address, std::uint64_t size) {
    record.address = address;
    record.size = size;
  }

  TableSymbols& symbols() { return symbols_; }
  const std::vector<TaskRecord>& tasks() const { return tasks_; }

 private:
  TableSymbols symbols_;
  static DataName balance() {
    DataName name;
    name.name = "bank::balance";
    name.type = "int";
    name.kind = ValueKind::signed_integer;
    name.file = "bank.cpp";
    name.line = 7;
    return name;
  }

  std::uint64_t balance_ = symbols_.add_global(balance(), 4);
  std::uint64_t savings_ = symbols_.add_global("savings", 96);
  std::uint64_t runtime_ = symbols_.add({bare_frame("ravel::capture_stack(ravel::StackRecord&)", "/opt/libravel.so")});
  std::uint64_t lock_ = symbols_.add(
      {frame("__gthread_mutex_lock(pthread_mutex_t*)", "/usr/include/c++/12/x86_64-linux-gnu/bits/gthr-default.h", 749,
             0, true),
       frame("std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100, 17, true),
       frame("std::lock_guard<std::mutex>::lock_guard(std::mutex&)", "/usr/include/c++/12/bits/std_mutex.h", 229, 23)});
  std::uint64_t unlock_ =
      symbols_.add({frame("std::mutex::unlock()", "/usr/include/c++/12/bits/std_mutex.h", 118, 35)});
  std::uint64_t wait_ = symbols_.add({bare_frame("std::condition_variable::wait(std::unique_lock<std::mutex>&)",
                                                 "/lib/x86_64-linux-gnu/libstdc++.so.6")});
  std::uint64_t join_ = symbols_.add({bare_frame("std::thread::join()", "/lib/x86_64-linux-gnu/libstdc++.so.6")});
  std::uint64_t thread_start_ = symbols_.add({bare_frame("start_thread", "/lib/x86_64-linux-gnu/libc.so.6")});
  std::uint64_t process_start_ = symbols_.add({bare_frame("__libc_start_main", "/lib/x86_64-linux-gnu/libc.so.6")});
  std::uint64_t abort_ = symbols_.add({bare_frame("abort", "/lib/x86_64-linux-gnu/libc.so.6")});
  std::uint64_t assert_fail_ = symbols_.add({bare_frame("__assert_fail", "/lib/x86_64-linux-gnu/libc.so.6")});
  std::uint64_t strlen_ = symbols_.add({bare_frame("strlen", "/lib/x86_64-linux-gnu/libc.so.6")});
  std::uint64_t our_free_ = symbols_.add({bare_frame("free", "/opt/libravel.so")});
  std::uint64_t new_ =
      symbols_.add({bare_frame("operator new(unsigned long)", "/lib/x86_64-linux-gnu/libstdc++.so.6")});
  std::uint64_t delete_ = symbols_.add({bare_frame("operator delete(void*)", "/lib/x86_64-linux-gnu/libstdc++.so.6")});
  std::uint64_t open_ = symbols_.add({frame("bank::open_account()", "bank.cpp", 50, 12)});
  std::uint64_t throw_ = symbols_.add({bare_frame("__cxa_throw", "/lib/x86_64-linux-gnu/libstdc++.so.6")});
  std::uint64_t signal_return_ = symbols_.add_signal_return();
  std::uint64_t deposit_ = symbols_.add({frame("bank::Account::deposit(int)", "bank.cpp", 12, 13, true),
                                         frame("bank::pay(bank::Account&)", "bank.cpp", 20, 3)});
  std::uint64_t transfer_first_ =
      symbols_.add({frame("bank::transfer(bank::Account&, bank::Account&)", "bank.cpp", 30, 5)});
  std::uint64_t transfer_ = symbols_.add({frame("bank::transfer(bank::Account&, bank::Account&)", "bank.cpp", 31, 5)});
  std::uint64_t total_ = symbols_.add({frame("bank::total()", "bank.cpp", 40, 10)});
  std::uint64_t audit_ = symbols_.add({frame("bank::audit()", "audit/audit.cpp", 8)});
  std::uint64_t worker_ = symbols_.add({frame("worker(int)", "main.cpp", 10, 3)});
  std::uint64_t auditor_ = symbols_.add({frame("main::{lambda()#1}::operator()() const", "main.cpp", 22, 7)});
  std::uint64_t main_ = symbols_.add({frame("main", "main.cpp", 30, 12)});
  std::uint64_t created_ = symbols_.add({frame("main", "main.cpp", 28, 9)});
  std::uint64_t long_name_ =
      symbols_.add({frame("void bank::for_each<std::vector<bank::Account, std::allocator<bank::Account> >, bank::Rule>"
                          "(std::vector<bank::Account, std::allocator<bank::Account> >&, bank::Rule)",
                          "a/rather/long/path/to/a/source/file/somewhere/in/the/tree/for_each.h", 77, 5)});
  std::uint64_t stripped_ = symbols_.add({bare_frame("??", "/opt/lib/libvendor.so.3")});
  std::uint64_t no_file_ = 0x1;
  std::vector<TaskRecord> tasks_;
};

}  // namespace ravel
