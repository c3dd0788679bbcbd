# SPDX-License-Identifier: Apache-2.0
"""Whether links and joints make one tree, and which link is its root."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..errors import quoted
from .faults import About, FaultLog, NearMatches, chain_of, quoted_names
from .tree import UrdfJoint

_RESERVED_JOINT = "universe"  # Pinocchio's own joint 0


def find_root(
    links: Sequence[tuple[str, int]], joints: Sequence[UrdfJoint], faults: FaultLog
) -> str:
    """Log whatever keeps links and joints from being one tree.

    Args:
        links: (name, line) in document order. An empty name stands for a fault told already, and so
            do an empty name, parent or child of a joint.
        joints: in document order.
        faults: takes the faults.

    Returns:
        The root link; meaningless if there is an error in the log.
    """
    if not links:
        faults.error("no-links", "the robot has no <link>; add links, and joints between them")
        return ""
    _check_unique("link", links, faults)
    _check_unique("joint", [(joint.name, joint.line) for joint in joints], faults)
    lines = dict(links)
    joint_above = _joints_above(joints, faults)
    if "" in lines or not _ends_exist(joints, lines, faults):
        return ""  # what follows would be echoes of these faults
    if _has_loop(joint_above, faults):
        return ""
    return _only_root(
        [link for link in lines if link not in joint_above], joint_above, lines, faults
    )


def _check_unique(noun: str, named_lines: Sequence[tuple[str, int]], faults: FaultLog) -> None:
    first_line: dict[str, int] = {}
    for name, line in named_lines:
        about = About(faults, noun, name, line)
        if name and name in first_line:
            about.error(
                "duplicate-link" if noun == "link" else "duplicate-joint",
                f"was there before, on line {first_line[name]}; rename one",
            )
        elif noun == "joint" and name == _RESERVED_JOINT:
            about.error("reserved-name", "has a name that Pinocchio keeps for itself; rename it")
        first_line.setdefault(name, line)


def _joints_above(joints: Sequence[UrdfJoint], faults: FaultLog) -> dict[str, UrdfJoint]:
    """The joint that carries each link."""
    above: dict[str, UrdfJoint] = {}
    for joint in joints:
        first = above.setdefault(joint.child, joint)
        if joint.child and first is not joint:
            About(faults, "link", joint.child, joint.line).error(
                "two-parents",
                f"is the child of joint {quoted(first.name)} (line {first.line}) and of joint "
                f"{quoted(joint.name)}; a link hangs on one joint, so remove the other",
            )
    return above


def _ends_exist(joints: Sequence[UrdfJoint], links: Collection[str], faults: FaultLog) -> bool:
    all_exist = True
    near = NearMatches(links)
    for joint in joints:
        about = About(faults, "joint", joint.name, joint.line)
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link in links:
                continue
            all_exist = False
            if not link:
                continue  # told where it was read
            cure = near.proposal(link) or "add that <link>"
            about.error(
                "unknown-link", f"has the {end} link {quoted(link)}, which does not exist; {cure}"
            )
    return all_exist


def _has_loop(joint_above: Mapping[str, UrdfJoint], faults: FaultLog) -> bool:
    """Whether climbing from some link comes back to it; the loops go to the log."""
    has_loop = False
    seen: set[str] = set()
    for start in joint_above:
        way: dict[str, UrdfJoint] = {}
        link = start
        while link in joint_above and link not in seen:
            seen.add(link)
            way[link] = joint_above[link]
            link = joint_above[link].parent
        if link in way:
            has_loop = True
            _log_loop(link, joint_above, faults)
    return has_loop


def _log_loop(link: str, joint_above: Mapping[str, UrdfJoint], faults: FaultLog) -> None:
    loop = [joint_above[link]]
    while loop[-1].parent != link:
        loop.append(joint_above[loop[-1].parent])
    loop.reverse()
    in_loop = {joint.child for joint in loop}
    last = [joint for joint in joint_above.values() if joint.child in in_loop][-1]
    closing = loop.index(last)
    loop = loop[closing + 1 :] + loop[: closing + 1]
    links = [last.child, *(joint.child for joint in loop)]
    About(faults, "joint", last.name, last.line).error(
        "loop", f"closes a loop of links, {chain_of(links)}; a URDF is a tree, so cut it open"
    )


def _only_root(
    roots: Sequence[str],
    joint_above: Mapping[str, UrdfJoint],
    lines: Mapping[str, int],
    faults: FaultLog,
) -> str:
    if len(roots) > 1:
        below = dict.fromkeys(roots, 0)
        for link in joint_above:
            while link in joint_above:
                link = joint_above[link].parent
            below[link] += 1
        main, *others = sorted(roots, key=lambda root: -below[root])
        faults.error(
            "two-roots",
            f"the robot has {len(roots)} roots, {quoted_names(roots)}; hang "
            f"{quoted_names(others)} below {quoted(main)} with a joint (a fixed one will "
            f"do), or delete it",
            lines[others[0]],
            others[0],
        )
    return roots[0]
