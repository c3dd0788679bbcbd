# SPDX-License-Identifier: Apache-2.0
"""Turns what the runs measured into docs/reliability.md; measures nothing."""
