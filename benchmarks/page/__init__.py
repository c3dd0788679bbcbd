# SPDX-License-Identifier: Apache-2.0
"""Turns results into a page and a figure; measures nothing."""
