# SPDX-License-Identifier: Apache-2.0
"""Makes targets, asks every solver in turn, and judges all answers alike."""
