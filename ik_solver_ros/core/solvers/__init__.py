# SPDX-License-Identifier: Apache-2.0
"""Ways to find candidates. None of them decides what is an answer."""
