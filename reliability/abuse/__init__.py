# SPDX-License-Identifier: Apache-2.0
"""What a careless or hostile client could send, by number, and what must not come of it."""
