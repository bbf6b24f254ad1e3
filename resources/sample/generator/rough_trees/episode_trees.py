"""The kind of trees of one episode: drawn once, then the same treatment for every step."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from stepscope.core.domain.action import Action, LongPress, Tap, Target, action_point, action_target
from stepscope.core.domain.elements import UIElement, UITree
from stepscope.core.domain.episode import Step
from stepscope.core.domain.geometry import Point
from stepscope.core.frozen import dataclass
from stepscope.resources.sample.generator.rough_trees import changes
from stepscope.resources.sample.generator.rough_trees.nodes import KeyedChance, TreeNode, nodes_of, tree_of
from stepscope.resources.sample.generator.rough_trees.toolkits import TOOLKITS, Toolkit

CLEAN = "clean"
"""The name of trees as the sample apps tell them."""
_SMALLEST = 0.5
"""So many of the rough episodes name the smallest element under a touch."""


@dataclass(frozen=True, slots=True)
class RoughTrees:
    """How one episode's trees are made rough: pure, an element is treated alike on every screen.

    With `smallest` the recording names the smallest element under a touch as its target, as data sets do whose targets
    were marked by people; otherwise the one that says that it can be touched, as recorders do.
    """

    kit: Toolkit
    seed: str
    smallest: bool

    def made(self, step: Step) -> Step:
        """The step with its tree made rough and the action's target named from it; picture and places stay."""
        tree, action = step.observation.tree, step.action
        if tree is None:
            return step
        target = action_target(action) if action is not None else None
        touched = _touched(tree, target) if target is not None else None
        rough, nodes = self._rough(tree, touched)
        step = replace(step, observation=replace(step.observation, tree=rough))
        if action is None or touched is None:
            return step
        element = self._named(rough, nodes, touched, action)
        named: dict[str, Any] = {"target": Target(element.box, element.label, element.resource_id or None)}
        return replace(step, action=replace(action, **named))

    def _rough(self, tree: UITree, touched: int | None) -> tuple[UITree, list[TreeNode]]:
        kit, chance = self.kit, KeyedChance(self.seed)
        roots = nodes_of(tree)
        for root in roots:
            changes.change_words(_own(root), kit, chance)
            changes.merge_rows(_own(root), kit)
            changes.misplace(root, chance, touched)
            changes.move_flags(_own(root), kit, chance)
            changes.keep_what_left(_own(root), chance)
            changes.wrap(_own(root), kit, chance)
            changes.rename(_own(root), kit, chance)
            changes.frame(root, kit)
        return tree_of(roots, tree)

    def _named(self, tree: UITree, nodes: list[TreeNode], touched: int, action: Action) -> UIElement:
        """The element of the rough tree that stands for the touched one."""
        outer = next(element for element, node in zip(tree, nodes, strict=True) if touched in node.stands_for)
        point = action_point(action)
        if not (self.smallest and point is not None and isinstance(action, Tap | LongPress)):
            return outer
        return min((outer, *_leaves_under(tree, outer, point)), key=lambda one: (one.box.area, -one.index))


def drawn_trees(chance: random.Random) -> RoughTrees:
    """An episode's kind of rough trees, from the stream alone."""
    return RoughTrees(chance.choice(TOOLKITS), f"{chance.getrandbits(64):x}", chance.random() < _SMALLEST)


def _touched(tree: UITree, target: Target) -> int | None:
    """The index of the element that the director took, None for one that is not in the tree."""
    return next(
        (e.index for e in tree if (e.box, e.label, e.resource_id or None) == (target.box, target.text, target.id)), None
    )


def _own(root: TreeNode) -> list[TreeNode]:
    """What is below the root and of the same app, a parent before its children."""
    return [node for node in root.walk() if node is not root and node.element.package == root.element.package]


def _leaves_under(tree: UITree, outer: UIElement, point: Point) -> list[UIElement]:
    """Leaves of the element under the point which do not say that they can be touched."""
    return [
        leaf
        for leaf in tree.leaves
        if leaf.box.contains(point)
        and not (leaf.clickable or leaf.long_clickable or leaf.editable)
        and outer in tree.ancestors(leaf.index)
    ]
