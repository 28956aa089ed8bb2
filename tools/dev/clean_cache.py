# SPDX-License-Identifier: BSD-3-Clause
"""Remembers which files a checker found clean, so that only changed files are checked again.

An entry is an empty file whose name is a hash of everything that the verdict depends on; only clean verdicts
are kept. The folder may be deleted at any time.
"""
import hashlib
import os

from dev import repository

FOLDER = os.path.join(repository.ROOT, ".cache", "lint")


def key(*parts):
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(str(len(data)).encode() + b":" + data)
    return digest.hexdigest()


def is_clean(entry):
    return os.path.exists(os.path.join(FOLDER, entry))


def remember(entry):
    os.makedirs(FOLDER, exist_ok=True)
    with open(os.path.join(FOLDER, entry), "w"):
        pass
