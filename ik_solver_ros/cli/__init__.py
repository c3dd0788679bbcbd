# SPDX-License-Identifier: Apache-2.0
"""The command `ik`: one module for each of its subcommands."""
