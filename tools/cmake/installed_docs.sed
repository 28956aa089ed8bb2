# SPDX-License-Identifier: BSD-3-Clause
# Links into the source tree, which is not installed, become plain text.
s#\[([^]]*)\]\((\.\./)*(tests|conduits|upcr|tools|bench|include|share|CONTRIBUTING\.md)(/[^)]*)?\)#\1#g
