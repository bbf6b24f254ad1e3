"""The JSON forms of procedures and web tasks (`stepscope episode --as procedure --json` and the like)."""

from __future__ import annotations

from typing import Any

from stepscope.core.domain.procedure import Procedure
from stepscope.core.domain.webtask import WebInstance, WebTask


def procedure_to_json(procedure: Procedure) -> dict[str, Any]:
    """`steps` in the recorded order, `orders` further right orders of step ids; pictures by file name."""
    return {
        "id": procedure.id,
        "format": procedure.format,
        "goal": procedure.goal,
        "category": procedure.category,
        "ordered": procedure.ordered,
        "splits": list(procedure.splits),
        "steps": [
            {
                "id": step.id,
                "title": step.title,
                "text": step.text,
                "pictures": [picture.name for picture in step.pictures],
            }
            for step in procedure.steps
        ],
        "orders": [list(order) for order in procedure.orders],
    }


def instance_to_json(instance: WebInstance, task: WebTask) -> dict[str, Any]:
    """One page to fill in, with the fields of its task and each worker's answers."""
    return {
        "id": instance.id,
        "task": task.name,
        "title": task.title,
        "description": task.description,
        "splits": list(task.splits),
        "inputs": dict(instance.inputs),
        "fields": [
            {"name": field.name, "type": field.type.value, "options": list(field.options), "label": field.label}
            for field in task.fields
        ],
        "answers": [dict(answer) for answer in instance.answers],
    }
