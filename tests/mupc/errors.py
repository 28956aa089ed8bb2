# SPDX-License-Identifier: BSD-3-Clause
"""errors.py MUPCRUN PROGRAM: every mistake of programs/errors.c is reported once, with cause and values, and ends the job;
so do the two ends."""
import re
import subprocess
import sys
import unittest

MUPCRUN, PROGRAM = sys.argv[1:3]
PREFIX = "UPC Runtime error: "

MISTAKES = {
    "early": r"upc_notify: the runtime has not been started; call _UPCRTS_init\(\) first",
    "late": r"mupc_put: called after _UPCRTS_fini\(\)",
    "notify-values": r"barrier mismatch.*(barrier 10.*barrier 11|barrier 11.*barrier 10)",
    "barrier-values": r"barrier mismatch.*(barrier 20.*barrier 21|barrier 21.*barrier 20)",
    "wait-value": r"barrier mismatch detected by thread 1: it notified barrier 3, but waits for barrier 4",
    "notify-twice": r"barrier notify: barrier 1 was notified already",
    "wait-alone": r"barrier wait: no notify came before",
    "lock-uninitialised": r"upc_lock: the lock at va 0x[0-9a-f]+ of UPC thread 0 was not initialised; call upc_lock_init",
    "attempt-uninitialised": r"upc_lock_attempt: the lock at va .* was not initialised; call upc_lock_init",
    "unlock-uninitialised": r"upc_unlock: the lock at va .* was not initialised; call upc_lock_init",
    "unlock-not-held": r"upc_unlock: the calling thread does not hold the lock",
    "lock-twice": r"upc_lock: the calling thread holds the lock .* already",
    "lock-null": r"upc_lock: the pointer-to-shared is null",
    "lock-of-data": r"upc_lock_init: va 0x[0-9a-f]+ of UPC thread 0 is no lock",
    "get-null": r"mupc_get: the pointer-to-shared is null",
    "thread": r"mupc_put: UPC thread 77 of 2 does not exist",
    "beyond": r"mupc_get: 8 bytes at va 0x10000000000 reach beyond the 0x[0-9a-f]+ bytes of UPC thread 0's shared memory",
    "local": r"mupc_local: the memory is that of UPC thread 0, not of the calling thread 1",
    "end-between": r"the final barrier: UPC thread 1 ends between upc_notify\(5\) and upc_wait\(5\)",
    "free-new-lock": r"upc_free: va 0x[0-9a-f]+ of UPC thread 0 is a lock; call upc_lock_free",
    "free-lock": r"upc_free: va 0x[0-9a-f]+ of UPC thread 0 is a lock; call upc_lock_free",
    "free-static": r"upc_free: va 0x[0-9a-f]+ of UPC thread 0 is static data \(MUPC_SHARED\)",
    "free-static-part": r"upc_free: va 0x[0-9a-f]+ of UPC thread 1 is static data",
    "free-twice": r"upc_free: ",
    "exhausted": r"out of .*memory|UPC_SHARED_HEAP_SIZE",
}


def run(what):
    return subprocess.run([MUPCRUN, "-n", "2", "--timeout", "120", PROGRAM, what], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Errors(unittest.TestCase):
    def test_mistakes(self):
        for what, pattern in MISTAKES.items():
            with self.subTest(what):
                done = run(what)
                self.assertNotEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.returncode, 124, "the job hung")
                self.assertIn(PREFIX, done.stderr)
                self.assertRegex(done.stderr, re.compile(pattern))

    def test_global_exit(self):
        done = run("global-exit")
        self.assertEqual((done.returncode, done.stdout), (7, "the last line"), done.stderr)

    def test_status(self):
        self.assertEqual(run("status").returncode, 5)

    def test_no_mistake(self):
        done = run("")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


unittest.main(argv=[sys.argv[0]])
