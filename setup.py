"""Maps the rooms at the top of the repository, and the documentation, into the one package `stepscope`; all else stands
in pyproject.toml."""

from setuptools import find_packages, setup

ROOMS = ("app", "core", "models", "resources", "widgets")

inside = find_packages(include=[pattern for room in ROOMS for pattern in (room, f"{room}.*")])
setup(
    packages=["stepscope", "stepscope.docs", *(f"stepscope.{name}" for name in inside)],
    package_dir={"stepscope": "stepscope", "stepscope.docs": "docs"} | {f"stepscope.{room}": room for room in ROOMS},
)
