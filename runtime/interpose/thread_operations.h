// SPDX-License-Identifier: Apache-2.0
// Tasks as the program handles them: create, join, detach, cancel, name. Return values are those of glibc.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
                  CallSite pc);
int join_thread(pthread_t thread, void** result, CallSite pc);
int try_join_thread(pthread_t thread, void** result, CallSite pc);
int clock_join_thread(pthread_t thread, void** result, clockid_t clock, const timespec* deadline, CallSite pc);
int detach_thread(pthread_t thread, CallSite pc);

// Waits until no other task is left: for those that the program does not join.
void join_all_tasks(CallSite pc);

int cancel_thread(pthread_t thread, CallSite pc);
int set_cancel_state(int state, int* old_state);
int set_cancel_type(int type, int* old_type);

int set_thread_name(pthread_t thread, const char* name);
int get_thread_name(pthread_t thread, char* name, std::size_t size);
int get_thread_attributes(pthread_t thread, pthread_attr_t* attributes);

// Priorities and processors mean nothing where one task runs at a time: kept for who asks (scheduling_requests.h).
int set_schedule(pthread_t thread, int policy, const sched_param* parameters);
int set_schedule_priority(pthread_t thread, int priority);
int get_schedule(pthread_t thread, int* policy, sched_param* parameters);
int set_affinity(pthread_t thread, std::size_t size, const cpu_set_t* set);
int get_affinity(pthread_t thread, std::size_t size, cpu_set_t* set);
int get_cpu_clock(pthread_t thread, clockid_t* clock);

// What gettid returns: the process id for T0, and the ids after it for the others.
pid_t task_thread_id();

// The task with such an id, or for 0 the calling task; nullptr if there is none. The kernel must not see these ids:
// there they may belong to other processes.
Task* task_of_thread_id(pid_t id);

}  // namespace ravel
