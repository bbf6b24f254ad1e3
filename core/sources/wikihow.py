"""wikiHow articles of the multimodal sequencing release: JSON Lines, one article a line, one procedure a section.

`wikihow-<split>.json` or `wikihow-<version>-<split>.json`, each line {url, title, summary, sections: [{steps:
[{step_headline, step_text: {text, bullet_points}, step_assets}]}], multiref_gt?}. What comes out is what the paper's
evaluation takes: of a section with five or more usable steps the first five, a step's text without its headline, and
one picture a step. Checked on a fixture. Facts: Wu et al., "Understanding Multimodal Procedural Knowledge by Sequencing
Multimodal Instructional Manuals", ACL 2022 (section 5, appendix A), and the release's own data processor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stepscope.core.domain.episode import EpisodeSummary, Problem
from stepscope.core.domain.procedure import Procedure, ProcedureStep
from stepscope.core.errors import SourceError
from stepscope.core.frozen import dataclass
from stepscope.core.sources.files import mapping_of, text_of
from stepscope.core.sources.findings import Findings
from stepscope.core.sources.json_records import ByteSpan, find_records, read_record, record_problem, span_at
from stepscope.core.sources.orders import orders_of
from stepscope.core.sources.procedures import row_of
from stepscope.core.sources.record_source import ProcedureRecords, procedure_records
from stepscope.core.sources.screens import find_picture
from stepscope.core.sources.sniffers.wikihow import FORMAT, locate

STEPS = 5
"""Shorter sections are left out and longer ones cut (paper, section 5)."""

_ASSETS = ("image-large", "image-src-1")
_IMAGES = "/images/"
_HOSTS = ("www.wikihow.com", "wikihow.com")
_FILE = re.compile(r"wikihow(?:-(.+))?-(train|dev|test)\.jsonl?")


@dataclass(frozen=True, slots=True)
class _ArticleStep:
    """Step `number` (from 1) of its section; `picture` is a file's name below the article's folder, "" for none."""

    number: int
    title: str
    text: str
    picture: str


def outline(file: Path) -> Iterator[EpisodeSummary | Problem]:
    """Every section of five or more usable steps; broken lines, and how many sections are left out, as problems."""
    pictures = _has_pictures(file.parent)
    if not pictures:
        yield Problem("there are no pictures beside the articles: steps without one are not left out")
    short = 0
    for span in find_records(file):
        if isinstance(span, Problem):
            yield span
            continue
        try:
            article = read_record(file, span)
            for number, section in enumerate(_sections(article, file)):
                steps = _steps(section, file.parent, pictures)
                if len(steps) == STEPS:
                    yield _row(article, steps, span, number, file)
                else:
                    short += 1
        except SourceError as error:
            yield record_problem(error, span, file)
    if short:
        usable = "steps with a picture" if pictures else "steps"
        yield Problem(f"sections with fewer than {STEPS} {usable} are left out: {short}")


def _row(
    article: Mapping[str, Any], steps: Sequence[_ArticleStep], span: ByteSpan, number: int, file: Path
) -> EpisodeSummary:
    """The section's row; its pictures are there but have not been looked into."""
    procedure_id = f"{text_of(article.get('url')) or f'line {span.number}'}###{number}"
    kept = tuple(ProcedureStep(str(step.number), step.text) for step in steps)
    procedure = _procedure(article, procedure_id, kept, file, Findings(procedure_id, file.parent))
    screens = sum(bool(step.picture) for step in steps)
    return replace(row_of(procedure, f"{span.place} {number}", checked=not screens), screens=screens)


def load(file: Path, place: str, procedure_id: str) -> Procedure:
    """The section at `place`: offset and length of its article's line, and its number there."""
    where, _, number = place.rpartition(" ")
    article = read_record(file, span_at(where))
    sections = _sections(article, file)
    if not number.isdecimal() or len(number) > len(str(len(sections))) or int(number) >= len(sections):
        raise SourceError("the article has no such section", place=file)
    steps = _steps(sections[int(number)], file.parent, _has_pictures(file.parent))
    if len(steps) < STEPS:
        raise SourceError(f"the section has fewer than {STEPS} usable steps", place=file)
    findings = Findings(procedure_id, file.parent)
    kept = []
    for index, step in enumerate(steps):
        picture = find_picture(file.parent, step.picture, index, findings) if step.picture else None
        kept.append(ProcedureStep(str(step.number), step.text, (picture,) if picture else (), step.title))
    return _procedure(article, procedure_id, tuple(kept), file, findings)


def _procedure(
    article: Mapping[str, Any], procedure_id: str, steps: tuple[ProcedureStep, ...], file: Path, findings: Findings
) -> Procedure:
    goal = text_of(article.get("title"))
    if not goal:
        findings.add("the article has no title", field="goal")
    return Procedure(
        id=procedure_id,
        format=FORMAT.name,
        goal=goal,
        steps=steps,
        orders=orders_of(article.get("multiref_gt"), [step.id for step in steps], findings),
        splits=_splits(file.name),
        problems=findings.as_tuple(),
    )


def _splits(name: str) -> tuple[str, ...]:
    match = _FILE.fullmatch(name)
    return ("/".join(part for part in match.groups() if part),) if match else ()


def _sections(article: Mapping[str, Any], file: Path) -> list[object]:
    sections = article.get("sections")
    if not isinstance(sections, list):
        raise SourceError("the article has no list of sections", place=file, field="sections")
    return sections


def _steps(section: object, folder: Path, pictures: bool) -> list[_ArticleStep]:
    """The section's first five usable steps in order, fewer when it has fewer.

    Where there are pictures at all, a step is usable when its own is there.
    """
    steps: list[_ArticleStep] = []
    found = mapping_of(section).get("steps")
    for number, form in enumerate(found if isinstance(found, list) else (), start=1):
        if not isinstance(form, dict):
            continue
        step = mapping_of(form)
        picture = _picture(mapping_of(step.get("step_assets")), folder) if pictures else ""
        if picture or not pictures:
            steps.append(_ArticleStep(number, text_of(step.get("step_headline")), _text(step), picture))
        if len(steps) == STEPS:
            break
    return steps


def _text(step: Mapping[str, Any]) -> str:
    """The step's text and its bullets, without the headline."""
    words = mapping_of(step.get("step_text"))
    bullets = words.get("bullet_points")
    listed = [text_of(bullet) for bullet in bullets] if isinstance(bullets, list) else []
    return " ".join([text_of(words.get("text")), *listed])


def _picture(assets: Mapping[str, Any], folder: Path) -> str:
    """The name below `folder` of the first asset whose file is there, "" for none."""
    for key in _ASSETS:
        name = text_of(assets.get(key))
        for place in _places(name) if name else ():
            if _is_there(folder, place):
                return place
    return ""


def _places(name: str) -> Iterator[str]:
    """Where the file of an asset may lie: names are addresses without the host that their folder is called after."""
    if any(host in name for host in _HOSTS):
        yield name
        return
    rooted = name if name.startswith("/") else f"/{name}"
    for host in _HOSTS:
        yield rooted.replace(_IMAGES, f"/{host}{_IMAGES}", 1).removeprefix("/")


def _is_there(folder: Path, name: str) -> bool:
    """Whether there is such a file; a name that leads out of the folder is no file of its."""
    if name.startswith(("/", "~")) or ".." in name.replace("\\", "/").split("/"):
        return False
    try:
        return (folder / name).is_file()
    except (OSError, ValueError):
        return False


def _has_pictures(folder: Path) -> bool:
    return any((folder / host / "images").is_dir() for host in _HOSTS)


def open_wikihow(path: Path) -> ProcedureRecords:
    """The folder of the release's files, or one of them; ids are the release's own, `<url>###<section from 0>`."""
    return procedure_records(FORMAT.name, path, locate=locate, outline=outline, load=load)
