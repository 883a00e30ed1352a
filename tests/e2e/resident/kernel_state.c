// SPDX-License-Identifier: Apache-2.0
// Changes what the kernel keeps about a process, once in each execution, after asserting that it is as main left it. An
// execution that sees what another one did fails.
//   kernel_state KIND
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define LARGE (1 << 20)

static const char* kind;
static int opened;     // a descriptor
static char* mapping;  // of two pages
static char* block;    // large
static char* lasting;  // heap
static int in_memory;  // changed in each execution
static char directory[4096];

static int is(const char* name) { return strcmp(kind, name) == 0; }

static void on_signal(int number) { (void)number; }

static int is_open(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

// Does a system call get this byte? It is told, where a load would crash.
static int is_readable(const char* byte) {
  int pipes[2];
  assert(pipe(pipes) == 0);
  const int readable = syscall(SYS_write, pipes[1], byte, 1) == 1;
  close(pipes[0]);
  close(pipes[1]);
  return readable;
}

static void change(void) {
  if (is("nothing")) {
    ++in_memory;
  } else if (is("heap")) {  // more than there is: the heap grows
    for (int i = 0; i < 100; ++i) memset(malloc(10000), 1, 10000);
  } else if (is("large-block")) {
    assert(memset(malloc(LARGE), 1, LARGE) != NULL);  // libc maps it
  } else if (is("freed-block")) {
    assert(block[LARGE - 1] == 7);
    free(block);  // libc unmaps it
    block = malloc(LARGE);
    block[LARGE - 1] = 8;
  } else if (is("new-mapping")) {
    char* added = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(added[0] == 0);
    added[0] = 1;
  } else if (is("unmapped")) {
    assert(is_readable(mapping));
    munmap(mapping, PAGE);
  } else if (is("replaced")) {
    assert(mapping[0] == 7);
    assert(mmap(mapping, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == mapping);
    mapping[0] = 8;
  } else if (is("protected")) {
    mapping[0] = 8;
    mprotect(mapping, PAGE, PROT_READ);
  } else if (is("emptied")) {
    assert(mapping[PAGE] == 7);
    madvise(mapping + PAGE, PAGE, MADV_DONTNEED);
  } else if (is("opened")) {
    assert(open("/dev/null", O_RDONLY) == opened + 1);
  } else if (is("closed")) {
    assert(is_open(opened));
    close(opened);
  } else if (is("replaced-descriptor")) {
    struct stat status;
    assert(fstat(opened, &status) == 0 && S_ISREG(status.st_mode));
    dup2(STDIN_FILENO, opened);
  } else if (is("position")) {
    char byte = 0;
    assert(read(opened, &byte, 1) == 1 && byte == 127);  // the first of an ELF file
  } else if (is("directory")) {
    char now[4096];
    assert(getcwd(now, sizeof now) != NULL && strcmp(now, directory) == 0);
    assert(chdir("/") == 0);
  } else if (is("umask")) {
    assert(umask(0777) == 022);
  } else if (is("handler")) {
    struct sigaction before;
    sigaction(SIGUSR1, NULL, &before);
    assert(before.sa_handler == SIG_DFL);
    signal(SIGUSR1, on_signal);
  } else if (is("mask")) {
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    assert(!sigismember(&set, SIGUSR1));
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
  } else if (is("pending")) {
    sigset_t set;
    sigpending(&set);
    assert(!sigismember(&set, SIGUSR2));
    kill(getpid(), SIGUSR2);  // everybody blocks it
  } else if (is("timer")) {
    struct itimerval timer = {{0, 0}, {1000, 0}};
    struct itimerval before;
    setitimer(ITIMER_REAL, &timer, &before);
    assert(before.it_value.tv_sec == 0);
  } else if (is("limit")) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    assert(limit.rlim_cur != 999);
    limit.rlim_cur = 999;
    setrlimit(RLIMIT_NOFILE, &limit);
  } else if (is("child")) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    assert(waitpid(-1, NULL, 0) == child);
  } else if (is("command")) {
    assert(system("true") == 0);
  } else if (is("lock")) {
    assert(flock(opened, LOCK_EX | LOCK_NB) == 0);
  } else if (is("stack")) {
    volatile char deep[LARGE];
    deep[0] = 1;
    assert(deep[0] == 1);
  } else {
    assert(!"a kind that is known");
  }
}

static void* body(void* argument) {
  if (argument != NULL) change();
  return NULL;
}

int main(int count, char** words) {
  assert(count == 2);
  kind = words[1];
  umask(022);
  assert(getcwd(directory, sizeof directory) != NULL);
  opened = open("/proc/self/exe", O_RDONLY);
  mapping = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mapping[0] = mapping[PAGE] = 7;
  block = malloc(LARGE);
  block[LARGE - 1] = 7;
  lasting = malloc(100);
  strcpy(lasting, "as it was");
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, i == 1 && !is("stack") ? words : NULL);
  assert(in_memory == 0 && strcmp(lasting, "as it was") == 0);
  strcpy(lasting, "changed");
  if (is("stack")) change();  // that of main grows by itself
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%s\n", kind);
  return 0;
}
