# SPDX-License-Identifier: Apache-2.0
"""The suites: which packages they come in, how their tests are built, their cases, and what is known about them.

docs/real-programs.md explains each known finding."""

import re
import subprocess

from packages import Package

GTEST = ["-lgmock_main", "-lgmock", "-lgtest"]


def files(folder, names):
    return [f"{folder}/{name}.cc" for name in names.split()]


class Test:
    """One test program of a suite: `source` below the suite's root, linked with these of its libraries.

    daily are the cases of every day; None leaves the program to the full tier. whole: the cases are short and run
    together, in one process."""

    def __init__(self, source, libraries, daily=None, whole=False):
        self.source, self.libraries, self.daily, self.whole = source, libraries, daily, whole
        self.name = source.rsplit("/", 1)[1].rsplit(".", 1)[0]


class Known:
    """A finding that was examined: its kind and what its JSON contains (a regular expression). always: every campaign
    of the case shows it, so one that does not is a failure too."""

    def __init__(self, kind, says, always=False):
        self.kind, self.says, self.always = kind, re.compile(says), always

    def matches(self, finding, text):
        return finding["kind"] == self.kind and self.says.search(text) is not None


class Suite:
    name = ""
    package = None
    root = ""  # the sources, below the package
    flags = []
    link = []
    libraries = {}  # name: sources below the root, each library before those it needs
    headers = {}  # name: text; found before the suite's own
    tests = []
    known = {}  # case (a regular expression): findings
    options = {}  # case (a regular expression): options of ravel run, beside the usual ones or instead of them
    endless = []  # cases (regular expressions) that have no end in Ravel's time: every execution is cut, and it says so

    def sources(self, library, root):
        return self.libraries[library]

    def cases(self, test, root, binary):
        raise NotImplementedError

    def command(self, test, case, binary):
        """The words that run one case, and the environment they need."""
        raise NotImplementedError


class GoogleTest:
    """Suites whose tests are written with GoogleTest."""

    def cases(self, test, root, binary):
        listing = subprocess.run([str(binary), "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
        found, group = [], ""
        for line in listing.splitlines():
            line = line.split("#")[0].rstrip()
            if line.endswith("."):
                group = line.strip()
            # The authors switched those off that say so; GoogleTest would not run them either.
            elif group and line.startswith("  ") and "DISABLED_" not in group + line:
                found.append(group + line.strip())
        return found

    def command(self, test, case, binary):
        return [str(binary), *([] if case == "*" else ["--gtest_filter=" + case])], {}


class LevelDB(Suite):
    name = "leveldb"
    # 3.0.0 changed DB::Get for its own needs, and its copy of db_test.cc does not compile any more.
    package = Package("classic-level", "2.0.0", "sha512-ftiMvKgCQK+OppXcvMieDoYlYLYWhScK6yZRFBrrlHQRbm4k6Gr+yDgu/wt3V0k1"
                                                "/jtNbuiXAsRmuAFcD0Tx5Q==")
    root = "deps/leveldb/leveldb-1.20"
    flags = ["-std=c++11", "-DLEVELDB_PLATFORM_POSIX=1", "-DOS_LINUX=1", "-DLEVELDB_ATOMIC_PRESENT", "-Iinclude"]
    libraries = {
        "leveldb": [
            *files("db", "builder db_impl db_iter dbformat filename log_reader log_writer memtable repair table_cache "
                   "version_edit version_set write_batch"),
            *files("helpers/memenv", "memenv"),
            *files("table", "block block_builder filter_block format iterator merger table table_builder "
                   "two_level_iterator"),
        ],
        "util": [
            *files("util", "arena bloom cache coding comparator crc32c env env_posix filter_policy hash logging options "
                   "status testharness testutil"),
            *files("port", "port_posix port_posix_sse"),
        ],
    }
    # On x86 LevelDB prefers plain pointers with compiler barriers to <atomic>, which is a data race in C++. With the
    # macro away it takes the class it has for every other machine.
    headers = {"port/atomic_pointer.h": """#include <stdint.h>
#include <atomic>
#pragma push_macro("__x86_64__")
#undef __x86_64__
#include_next "port/atomic_pointer.h"
#pragma pop_macro("__x86_64__")
"""}
    tests = [
        Test("util/cache_test.cc", ["util"], daily=["*"], whole=True),
        Test("util/env_posix_test.cc", ["util"], daily=["*"], whole=True),
        Test("util/env_test.cc", ["util"], daily=["EnvTest.RunMany", "EnvTest.StartThread"]),
        Test("db/db_test.cc", ["leveldb", "util"], daily=["DBTest.GetSnapshot", "DBTest.NoSpace"]),
    ]

    # "Sleep, then look": sleeps of less than a second order nothing.
    known = {
        r"EnvTest\.RunImmediately": [Known("exit-code", r"env_test\.cc:34: ", always=True)],
        r"EnvTest\.RunMany": [Known("exit-code", r"env_test\.cc:66: ", always=True)],
    }
    # Four configurations of ten virtual seconds each, with four threads at work.
    options = {r"DBTest\.MultiThreaded": {"--max-steps": 20000000}}

    def cases(self, test, root, binary):
        text = (root / test.source).read_text()
        return [".".join(one) for one in re.findall(r"^TEST\((\w+), (\w+)\)", text, re.MULTILINE)]

    def command(self, test, case, binary):
        # The harness selects by a part of the name: DBTest.Recover runs all four tests that begin so.
        return [str(binary)], {} if case == "*" else {"LEVELDB_TESTS": case}


class PlainLevelDB(LevelDB):
    """As it is shipped: x86 gets pointers that are not atomic, and Ravel says so."""

    name = "plain_leveldb"
    headers = {}
    tests = [Test("util/env_test.cc", ["util"], daily=["EnvTest.RunImmediately"])]
    known = {**LevelDB.known, r"EnvTest\.Run\w+": [Known("data-race", r"AtomicPointer::", always=True)]}


class Abseil(GoogleTest, Suite):
    name = "abseil"
    package = Package("re2", "1.24.0", "sha512-pBm6cMaOb0Yb0kg0Sfw/k4LwDMkPScb/NVd7GrEllDwfsPZstsZIo93A6Nn0wZuWJw3h57GdzkrO"
                                       "k81EofKY/g==")
    root = "vendor/abseil-cpp"
    flags = ["-std=c++17"]
    link = GTEST
    libraries = {
        # What the mutex itself needs.
        "synchronization": [
            *files("absl/synchronization", "barrier blocking_counter mutex notification"),
            *files("absl/synchronization/internal", "create_thread_identity futex_waiter graphcycles kernel_timeout "
                   "per_thread_sem pthread_waiter sem_waiter stdcpp_waiter waiter_base"),
            *files("absl/base/internal", "cycleclock low_level_alloc raw_logging spinlock spinlock_wait sysinfo "
                   "thread_identity throw_delegate tracing unscaledcycleclock"),
            *files("absl/debugging", "stacktrace symbolize"),
            *files("absl/debugging/internal", "address_is_readable borrowed_fixup_buffer decode_rust_punycode demangle "
                   "demangle_rust elf_mem_image utf8_for_code_point vdso_support"),
            *files("absl/time", "clock duration format time"),
            *files("absl/time/internal/cctz/src", "time_zone_fixed time_zone_format time_zone_if time_zone_impl "
                   "time_zone_info time_zone_libc time_zone_lookup time_zone_posix zone_info_source"),
            *files("absl/strings", "ascii charconv match numbers str_cat"),
            *files("absl/strings/internal", "charconv_bigint charconv_parse memutil"),
            *files("absl/hash/internal", "city hash"),
            *files("absl/numeric", "int128"),
        ],
        # What the tests beside it use: logging and random numbers.
        "others": [
            *files("absl/log", "globals log_sink"),
            *files("absl/log/internal", "check_op globals log_format log_message log_sink_set nullguard proto "
                   "structured_proto"),
            *files("absl/random", "seed_gen_exception"),
            *files("absl/random/internal", "entropy_pool randen randen_detect randen_hwaes randen_round_keys randen_slow "
                   "seed_material"),
            *files("absl/strings/internal", "utf8"),
            *files("absl/strings/internal/str_format", "arg bind extension float_conversion output parser"),
            *files("absl/base/internal", "strerror"),
            *files("absl/debugging", "leak_check"),
            *files("absl/debugging/internal", "examine_stack"),
        ],
    }
    tests = [
        Test("absl/synchronization/barrier_test.cc", ["synchronization"], daily=["Barrier.SanityTest"]),
        Test("absl/synchronization/blocking_counter_test.cc", ["synchronization"],
             daily=["BlockingCounterTest.BasicFunctionality"]),
        Test("absl/synchronization/notification_test.cc", ["synchronization"], daily=["NotificationTest.SanityTest"]),
        Test("absl/synchronization/mutex_method_pointer_test.cc", ["synchronization"]),
        Test("absl/synchronization/internal/per_thread_sem_test.cc", ["synchronization"]),
        Test("absl/synchronization/mutex_test.cc", ["others", "synchronization"]),
        Test("absl/synchronization/lifetime_test.cc", ["others", "synchronization"], whole=True),
        Test("absl/synchronization/internal/waiter_test.cc", ["others", "synchronization"]),
        Test("absl/synchronization/internal/kernel_timeout_test.cc", ["others", "synchronization"]),
        Test("absl/synchronization/internal/graphcycles_test.cc", ["others", "synchronization"]),
    ]
    # These count on sleeps and timed waits to come in the order of their durations. A timed wait may give up early.
    known = {
        r"Mutex\.CondVarWaitWithTimeoutSignalsAwait": [Known("exit-code", r"WithTimeout")],
        r"Mutex\.CVTime": [Known("abort", r"TestTime failed")],
        r"Mutex\.WriterPriority": [Known("exit-code", r"saw_wrote")],
        r"\w+/WaiterTest/0\.Wait(Duration|Time)Woken": [Known("exit-code", r"waiter_test\.cc:\d+: Failure")],
        r"Mutex\.AcquireFromCondition": [Known("abort", r"should not be invoked a fourth time")],
        r"All/TimeoutTest\.\w+/(1|10)": [Known("exit-code", r"params\.expected_result")],
    }
    # A hundred thousand times and more: many millions of steps.
    long = {"--max-steps": 1000000000, "--timeout": "10m", "--no-verify": None}
    options = {
        r"Mutex\.(Signal|SynchEventRace)": long,
        r"ThreadCounts/MutexVariableThreadCountTest\.(Mutex|Try|RW|Await|SignalAll)/\d+": long,
    }


class RocksDB(GoogleTest, Suite):
    """Its write thread needs the whole library, which takes long to compile: nothing of it runs every day."""

    name = "rocksdb"
    package = Package("rocksdb", "5.2.1", "sha512-SN9RRLfqDEGfZ6MgfjpQ4DIn3+TdN5ECKYHgeuPKFy6Yw0I9hYyE46giLidngjZU47JXUmWX"
                                          "JDZuU1CyEcf4Fw==")
    root = "deps/rocksdb"
    # As its own build defines them on Linux. Without sched_getcpu it asks the processor (cpuid) where it runs, which
    # Ravel cannot control.
    flags = ["-std=c++14", "-DROCKSDB_PLATFORM_POSIX", "-DROCKSDB_LIB_IO_POSIX", "-DOS_LINUX",
             "-DROCKSDB_SUPPORT_THREAD_LOCAL", "-DROCKSDB_SCHED_GETCPU_PRESENT", "-DROCKSDB_NO_DYNAMIC_EXTENSION",
             "-Irocksdb", "-Irocksdb/include"]
    link = ["-lgtest"]
    libraries = {"harness": ["TEST_LIB_SOURCES", "MOCK_LIB_SOURCES"], "rocksdb": ["LIB_SOURCES"]}  # variables of src.mk
    needless = re.compile(r"utilities/(?!merge_operators/|object_registry|fault_injection|transactions/|write_batch_with)"
                          r"|tools/|db/c\.cc|test_util/transaction")
    tests = [Test(f"rocksdb/{name}.cc", ["harness", "rocksdb"], whole=whole) for name, whole in (
        ("cache/cache_test", True), ("cache/lru_cache_test", True), ("db/db_write_test", False),
        ("db/write_callback_test", False), ("util/thread_local_test", False), ("util/repeatable_thread_test", False),
        ("util/work_queue_test", False))]
    # Works for a second, and looks at the clock after every hundred thousand rounds.
    endless = [r"ThreadLocalTest\.ConcurrentReadWriteTest"]

    def sources(self, library, root):
        lists = (root / "rocksdb/src.mk").read_text().replace("\\\n", " ")
        found = []
        for variable in self.libraries[library]:
            every = re.search(rf"^{variable} *=(.*)$", lists, re.MULTILINE)[1].split()
            found += [name for name in every if not self.needless.match(name)]
        # The package has its own file for what the Makefile would write.
        return ["build_version.cc" if name == "util/build_version.cc" else f"rocksdb/{name}" for name in found]


SUITES = {suite.name: suite for suite in (LevelDB(), PlainLevelDB(), Abseil(), RocksDB())}
