# SPDX-License-Identifier: Apache-2.0
"""Which link of a robot carries the tool? Candidates by the shape of the tree, and the likely one.

A URDF does not say what is an arm. Three things tell it well enough to propose, never to decide: an
arm has more joints than a head or a wheel; it ends where fingers begin, that is where joints mimic
each other, where the tree splits into several moving branches, or where names say so; and among
links that are fixed to its end, names such as ``tool0`` or ``tcp`` are made to be the tip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .errors import listed
from .urdf.tree import MOVING_TYPES, UrdfJoint, UrdfTree

_FINGER = re.compile(r"finger|thumb|jaw|knuckle|phalanx|(^|_)index(_|$)", re.IGNORECASE)
_FINGER_JOINT = re.compile(_FINGER.pattern + "|gripper", re.IGNORECASE)
_NOT_AN_ARM = re.compile(r"head|neck|camera|wheel|caster|leg|foot|ankle", re.IGNORECASE)
_FEWEST_ARM_JOINTS = 3  # fingers do not begin before: a body that splits into arms is no hand
_MOST_FINGER_JOINTS = 4
#: How much a name says "tip"; the first that fits counts.
_NAMES = (
    (re.compile(r"finger|camera|optical|laser|sensor|imu|motor|force|screw", re.IGNORECASE), -2),
    (re.compile(r"(^|_)(tcp|tool_?0)($|_)|tool_frame", re.IGNORECASE), 5),
    (re.compile(r"grasp|tool|end_?effector|(^|_)eef?($|_)", re.IGNORECASE), 4),
    (re.compile(r"flange", re.IGNORECASE), 3),
    (re.compile(r"gripper|hand|palm", re.IGNORECASE), 2),
)


@dataclass(frozen=True)
class Tip:
    """A link that an arm may end in.

    Attributes:
        link: the link.
        base_frame: where the arm begins: the root, or what hangs on the last planar or floating
            joint above the link.
        joints: the moving joints from there to the link, followers included.
        freedoms: how many of them move on their own.
        is_finger: whether some of these joints look like those of a gripper.
    """

    link: str
    base_frame: str
    joints: tuple[str, ...]
    freedoms: int
    is_finger: bool


def candidate_tips(tree: UrdfTree) -> tuple[Tip, ...]:
    """Links that may carry the tool, the likely one first."""
    fingers = {joint.name for joint in tree.joints if _begins_finger(tree, joint)}
    tips = [_tip(tree, link, fingers) for link in _ends(tree, fingers)]
    return tuple(sorted((tip for tip in tips if tip.joints), key=lambda tip: _rank(tree, tip)))


def why_likely(tips: Sequence[Tip]) -> str:
    """Why the first candidate was put before the others, for a sentence."""
    first, others = tips[0], [tip for tip in tips[1:] if not tip.is_finger]
    if not others:
        return "the only end" + (" that is no finger" if len(tips) > 1 else "")
    if first.freedoms > max(tip.freedoms for tip in others):
        return "more joints move it than any other end"
    rivals = [tip for tip in others if tip.freedoms == first.freedoms]
    if all(tip.joints == first.joints for tip in rivals):
        return "of the links fixed to the end of the longest arm, its name says tip most clearly"
    arms = {tip.joints: tip.link for tip in reversed(rivals) if tip.joints != first.joints}
    return f"but as many joints move {listed(tuple(arms.values()), last=' and ')}: choose"


def _ends(tree: UrdfTree, fingers: set[str]) -> Iterator[str]:
    """Links that carry nothing, and links that carry fingers."""
    for link in tree.links:
        below = tree.joints_below(link)
        if not below or any(joint.name in fingers for joint in below):
            yield link


def _tip(tree: UrdfTree, link: str, fingers: set[str]) -> Tip:
    base, path = tree.root_link, tree.path(tree.root_link, link)
    for joint in path:
        if joint.type not in (*MOVING_TYPES, "fixed"):
            base = joint.child
    moving = [joint for joint in tree.path(base, link) if joint.type in MOVING_TYPES]
    return Tip(
        link,
        base,
        tuple(joint.name for joint in moving),
        len({joint.mimic_joint or joint.name for joint in moving}),
        any(joint.name in fingers for joint in moving),
    )


def _begins_finger(tree: UrdfTree, joint: UrdfJoint) -> bool:
    """Whether a joint moves a part of a gripper: by its name, its followers or its siblings."""
    if joint.type not in MOVING_TYPES or _moving_above(tree, joint) < _FEWEST_ARM_JOINTS:
        return False
    if joint.mimic_joint or any(other.mimic_joint == joint.name for other in tree.joints):
        return True
    siblings = _moving_branches(tree, _rigid_top(tree, joint.parent))
    if any(map(_is_called_finger, siblings)):
        return True
    lengths = [1 + _longest(tree, sibling.child) for sibling in siblings]
    return len(lengths) > 1 and max(lengths) <= _MOST_FINGER_JOINTS


def _is_called_finger(joint: UrdfJoint) -> bool:
    return bool(_FINGER_JOINT.search(joint.name) or _FINGER.search(joint.child))


def _moving_above(tree: UrdfTree, joint: UrdfJoint) -> int:
    return sum(above.type in MOVING_TYPES for above in tree.path(tree.root_link, joint.parent))


def _rigid_top(tree: UrdfTree, link: str) -> str:
    """The uppermost link that this one is fixed to."""
    joint = tree.joint_above(link)
    while joint is not None and joint.type == "fixed":
        link, joint = joint.parent, tree.joint_above(joint.parent)
    return link


def _moving_branches(tree: UrdfTree, link: str) -> list[UrdfJoint]:
    """The first moving joints below a link, on every branch."""
    found: list[UrdfJoint] = []
    todo = list(reversed(tree.joints_below(link)))
    while todo:  # no recursion: a thousand fixed links may follow each other
        joint = todo.pop()
        if joint.type in MOVING_TYPES:
            found.append(joint)
        else:
            todo += reversed(tree.joints_below(joint.child))
    return found


def _longest(tree: UrdfTree, link: str) -> int:
    """Most moving joints on one way down from a link."""
    return max((1 + _longest(tree, j.child) for j in _moving_branches(tree, link)), default=0)


def _rank(tree: UrdfTree, tip: Tip) -> tuple[object, ...]:
    says_other = any(map(_NOT_AN_ARM.search, (tip.link, *tip.joints)))
    name = next((points for pattern, points in _NAMES if pattern.search(tip.link)), 0)
    depth = len(tree.path(tip.base_frame, tip.link))
    return tip.is_finger, says_other, -tip.freedoms, -name, -depth, tree.links.index(tip.link)
