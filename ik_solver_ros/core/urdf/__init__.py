# SPDX-License-Identifier: Apache-2.0
"""Parts of the URDF reader; ``core.urdf_check`` puts them together."""
