// SPDX-License-Identifier: Apache-2.0
// A read-write lock that prefers writers. One task reads, and reads once more within; a writer may queue before the
// first read, between the two, or after the second. Between the two it is a deadlock: the writer waits for the reader,
// whose second read waits for the writer. 3 orders. (An unlock of a reader and a writer that queues do not notice each
// other.)
//
//   sc: 3
//   c11: 3
//   finding: deadlock
#include "together.h"

pthread_rwlock_t m;

int main() {
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&m, &kind);
  together(
      [] {
        pthread_rwlock_rdlock(&m);
        pthread_rwlock_rdlock(&m);
        pthread_rwlock_unlock(&m);
        pthread_rwlock_unlock(&m);
      },
      [] {
        pthread_rwlock_wrlock(&m);
        pthread_rwlock_unlock(&m);
      });
}
