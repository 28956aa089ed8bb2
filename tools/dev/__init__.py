# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of tools/lint and tools/check."""
