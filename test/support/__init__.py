# SPDX-License-Identifier: Apache-2.0
"""What the tests share: an independent forward kinematics, robots, random chains, targets.

Nothing here but `judging` imports the package under test, so a mistake there cannot repeat itself
here.
"""
