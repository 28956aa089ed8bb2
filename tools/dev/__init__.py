# SPDX-License-Identifier: BSD-3-Clause
"""What tools/lint and tools/check share."""
