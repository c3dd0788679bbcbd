# SPDX-License-Identifier: Apache-2.0
"""`python -m ik_solver_ros.cli`: the command where its script is not on the PATH."""

from .main import main

if __name__ == "__main__":
    raise SystemExit(main())
