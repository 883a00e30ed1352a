// SPDX-License-Identifier: Apache-2.0
// A read-write lock that prefers writers: a reader who tries to read once more within, and two writers. The try fails
// if a writer has queued between the two reads. Each writer queues before the first read, between the two or after the
// second: 3 * 3 = 9. Who queued before the first read also writes before it. Two that write on the same side of the
// reads may do so in either order; between and after are the same side, since both write after the last unlock: of the
// 9, one has both before, 4 have both behind, 4 have one on each side. (1 + 4) * 2 + 4 = 14.
//
//   sc: 14
//   c11: 14
#include "together.h"

pthread_rwlock_t m;

void write() {
  pthread_rwlock_wrlock(&m);
  pthread_rwlock_unlock(&m);
}

int main() {
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&m, &kind);
  together(
      [] {
        pthread_rwlock_rdlock(&m);
        if (pthread_rwlock_tryrdlock(&m) == 0) pthread_rwlock_unlock(&m);
        pthread_rwlock_unlock(&m);
      },
      write, write);
}
