"""The program inside a TorchScript file, looked through before torch gets it.

torch.jit.load compiles the code in the archive for an interpreter of its own, which has operators that write and read
files. The code is Python's grammar, so it is read as such and held against a list: names that compute, and what the
file defines itself. What it may not do: anything of `torch.` and `ops.` that is not on the list, classes of other
libraries, hooks that run while it is loaded.
"""

from __future__ import annotations

import ast
import zipfile
from pathlib import Path

from stepscope.core.errors import UserError
from stepscope.core.limits import exceeded, limit, written_figure
from stepscope.models.own.torchscript_operators import ATEN, PLAIN, PRIM, TYPES
from stepscope.models.runtimes.weights import damaged, damaged_by, open_weights, unreadable

_NODES = (
    ast.AnnAssign, ast.Assign, ast.Attribute, ast.AugAssign, ast.BinOp, ast.BoolOp, ast.Break, ast.Call, ast.ClassDef,
    ast.Compare, ast.Constant, ast.Continue, ast.Dict, ast.Expr, ast.For, ast.FunctionDef, ast.If, ast.IfExp, ast.List,
    ast.Module, ast.Name, ast.Pass, ast.Return, ast.Slice, ast.Starred, ast.Subscript, ast.Tuple, ast.UnaryOp,
    ast.While, ast.arg, ast.arguments, ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
_NO_HOOKS = ("__setstate__", "__getstate__", "__del__", "__init__")
"""What torch would run on its own while it loads the file, or lets objects go."""
_REACHING_OUT = (
    "_print", "data_ptr", "fork", "from_file", "print", "resize_", "save", "set_", "set_grad_enabled", "to_here",
    "wait",
)  # fmt: skip
"""What nothing in the file may be called like: on a tensor it would mean torch's own. The same for any other operator
does nothing but compute."""
_ROOTS = ("torch", "ops")
_TAIL = b"PK\x05\x06"
_TAIL_BYTES = 22


def check(file: Path) -> None:
    """Look through the program in the file, without torch.

    Raises UserError naming the file, and the place in it, for a program that is not only arithmetic, and for an archive
    that different readers could read differently.
    """
    sources = _sources(file)
    trees = [(name, _parsed(file, name, text)) for name, text in sources]
    fields, functions = set[str](), set[str]()
    for _, tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                functions.add(node.name)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                fields.add(node.target.id)
    hooks = sorted(functions.intersection(_NO_HOOKS))
    if hooks:
        raise _refused(file, f"its code has {hooks[0]}, which runs when the file is loaded")
    own = fields | functions
    if clash := sorted(own.intersection(_REACHING_OUT)):
        raise _refused(file, f"it calls something of its own {clash[0]!r}, as torch calls what is not arithmetic")
    for name, tree in trees:
        _look(file, name, tree, own)


def _look(file: Path, name: str, tree: ast.AST, own: set[str]) -> None:
    local = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    local |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    if strange := sorted(local.intersection((*_ROOTS, "__torch__"))):
        raise _refused(file, f"it gives the name {strange[0]!r} another meaning ({name})")
    rooted, known = set[int](), local | own | PLAIN | TYPES
    for node in ast.walk(tree):
        where = f"{name}, line {getattr(node, 'lineno', '?')}"
        if not isinstance(node, _NODES):
            raise _refused(file, f"its code has a {type(node).__name__}, which is no arithmetic ({where})")
        if isinstance(node, ast.Attribute) and id(node) not in rooted:
            chain = _chain(node, rooted)
            if not _may(chain, own):
                raise _refused(file, f"it uses {'.'.join(chain)}, which is not on the list of what computes ({where})")
        elif isinstance(node, ast.Name) and id(node) not in rooted and node.id not in known:
            raise _refused(file, f"it uses {node.id}, which is not on the list of what computes ({where})")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = node.func.id
            if called == "getattr" and not _may_get(node, own):
                raise _refused(file, f"it takes a part of something by a name that is not on the list ({where})")


def _chain(node: ast.Attribute, rooted: set[int]) -> list[str]:
    """The names from the root on; a root that is a value is "". Notes the nodes that are part of it."""
    names = [node.attr]
    inner: ast.expr = node.value
    while isinstance(inner, ast.Attribute):
        rooted.add(id(inner))
        names.append(inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        rooted.add(id(inner))
        names.append(inner.id)
    else:
        names.append("")
    return names[::-1]


def _may(chain: list[str], own: set[str]) -> bool:
    root, *rest = chain
    if any(one in _REACHING_OUT for one in rest):
        return False
    if root == "__torch__":
        return "classes" not in rest
    if root == "torch":
        return len(rest) == 1 and rest[0] in ATEN
    if root == "ops":
        return len(rest) == 2 and (rest[0], rest[1] in PRIM) == ("prim", True)
    if root == "CONSTANTS":
        rest = rest[1:]  # of a constant what any value may be asked
    return all(one in own or one in ATEN or one in PRIM for one in rest)


def _may_get(call: ast.Call, own: set[str]) -> bool:
    """Whether a part may be taken by its name as a text: torch writes parts so that are called like no variable."""
    name = call.args[1].value if len(call.args) == 2 and isinstance(call.args[1], ast.Constant) else None
    return isinstance(name, str) and (not name.isidentifier() or _may(["", name], own))


def _sources(file: Path) -> list[tuple[str, str]]:
    """All code in the archive, by name. Raises UserError."""
    try:
        with open_weights(file) as stream:
            stream.seek(-_TAIL_BYTES, 2)
            tail = stream.read()
            if not tail.startswith(_TAIL) or tail[-2:] != b"\0\0":
                raise damaged_by(file, "something stands behind its end: perhaps half a download")
            with zipfile.ZipFile(stream) as archive:
                _check_members(file, archive)
                code = [one for one in archive.infolist() if one.filename.endswith(".py")]
                return [(one.filename, archive.read(one).decode("utf-8")) for one in code]
    except OSError as error:
        raise unreadable(file, error) from error
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
        raise damaged(file, error) from error
    except Exception as error:  # what unpacks raises classes of its own
        raise damaged(file, error) from error


def _check_members(file: Path, archive: zipfile.ZipFile) -> None:
    members = archive.infolist()
    names = [one.filename.casefold() for one in members]
    if len(set(names)) < len(names):
        raise damaged_by(file, "two parts of it have one name")
    most, code = limit("model-table-bytes"), 0
    for one in members:
        if one.filename.endswith((".py", ".debug_pkl", ".pkl")):
            code += one.file_size
        elif one.compress_type != zipfile.ZIP_STORED or one.file_size != one.compress_size:
            raise damaged_by(file, f"{one.filename[:60]!r} in it is packed")
    if code > most:
        words = f"its code and tables have {written_figure('bytes', code)}, more than {written_figure('bytes', most)}."
        raise exceeded("model-table-bytes", words, place=file)


def _parsed(file: Path, name: str, text: str) -> ast.AST:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise damaged_by(file, f"its code {name[:100]} cannot be read") from error


def _refused(file: Path, why: str) -> UserError:
    return UserError(
        f"has a program that is not run here: {why}.",
        place=file,
        hint='Export the network to ONNX instead: torch.onnx.export(network, (example,), "model.onnx", dynamo=True).',
    )
