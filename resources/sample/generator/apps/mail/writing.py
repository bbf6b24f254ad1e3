"""Writing: new mails, answers, forwards, drafts, and answers to what has not come."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.mail import ways
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    Then,
    data,
    done,
    give_up,
    layer,
    page,
    shows,
    snack,
    tap,
    write,
)

_TOPICS = (
    ("Dinner on Friday", "Would you like to come at seven?"),
    ("Borrowing the ladder", "Could I have it for two days?"),
    ("New phone number", "My old number no longer works."),
    ("Concert on Sunday", "I have a spare ticket, are you free?"),
    ("Late rent", "The transfer will arrive tomorrow."),
    ("Cat sitting", "Could you feed her over the weekend?"),
    ("Slides for Monday", "Here is what I have so far."),
)
_ANSWERS = (
    "Yes, gladly",
    "I will be there",
    "Sorry, I cannot make it",
    "Thank you so much",
    "Let me think about it",
    "Sounds good to me",
    "Can we talk about it tomorrow?",
    "I have time after five",
)
_STARTED = ("Summer party", "Carpool to the lake", "Holiday swap", "Shared lawnmower")
_WHOM = ("To whom?", "Who shall get the mail?", "Whom shall I write to?")
_SAYS = ("What shall the mail say?", "What should I write in it?")
_SUBJECTS = ("What is the subject?", "Which subject shall the mail have?")


def _sent(subject: str, part: str = "", folder: str = "sent") -> Then:
    """A mail with this subject is in the folder, and `part` is in what it says."""
    return data(
        lambda d: any(
            m["folder"] == folder and m["subject"] == subject and part in " ".join(m["lines"]) for m in d["mails"]
        )
    )


def _subject(draw: WordingSampler, subject: str) -> list[Move]:
    return [
        tap("subject_line", draw.say("Tap Subject", "Go to the subject"), lambda v: bool(v.state["keyboard"])),
        write(subject, draw.say(f"Type {subject}", f"Write the subject {subject}")),
    ]


def _body(draw: WordingSampler, text: str) -> list[Move]:
    return [
        tap("body_text", draw.say("Tap the large field", "Tap Write here", "Go to the text of the mail")),
        write(text, draw.say(f"Type {text}", f"Write: {text}", "Write what the mail should say")),
    ]


def write_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail with recipient, subject and text. Slots `to`, `subject`."""
    draw, name, (subject, text) = WordingSampler(chance), chance.choice(view.data["writers"]), chance.choice(_TOPICS)
    words = draw.goal(
        f"Write a mail [to|to {name}|to a friend] with the subject [subject|{subject}|I told you]: {text}",
        f"Send [to|{name}|somebody] a mail[subject|, subject {subject}], and write {text}",
        f"Mail [to|{name}|them]: {text} [subject|The subject is {subject}|Don't forget the subject]",
        f"I need to send a mail [to|to {name}|out], [subject|subject {subject}|with a subject], saying {text}",
    )
    moves = [ways.pen(draw), *ways.address(draw, name), *_subject(draw, subject), *_body(draw, text), ways.send(draw)]
    slots = [draw.slot(words, "to", name, 1, _WHOM), draw.slot(words, "subject", subject, 4, _SUBJECTS)]
    return GoalPlan(words.full, (*moves, done()), _sent(subject, text), tuple(slots), key=len(moves) - 1)


def short_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Only a subject, as people do."""
    draw, name, (subject, _) = WordingSampler(chance), chance.choice(view.data["writers"]), chance.choice(_TOPICS)
    words = draw.goal(
        f"Send [to|{name}|someone] a mail that only has the subject [subject|{subject}|and no text]",
        f"A mail [to|to {name}|to one of my contacts], [subject|{subject} as the subject|just a subject], no text",
        f"No text needed: mail [to|{name}|them] the subject line [subject|{subject}|we agreed on]",
        f"Just the subject line[subject| {subject}], mailed [to|to {name}|off], please",
    )
    moves = [ways.pen(draw), *ways.address(draw, name), *_subject(draw, subject), ways.send(draw)]
    slots = [draw.slot(words, "to", name, 1, _WHOM), draw.slot(words, "subject", subject, 4, _SUBJECTS)]
    return GoalPlan(words.full, (*moves, done()), _sent(subject), tuple(slots), key=0)


def attach_file(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail with a file. Slots `to`, `file`."""
    draw, name, (subject, _) = WordingSampler(chance), chance.choice(view.data["writers"]), chance.choice(_TOPICS)
    index = chance.randrange(len(view.data["files"]))
    file = view.data["files"][index]
    words = draw.goal(
        f"Mail [file|{file}|a file] [to|to {name}|to somebody], subject {subject}",
        f"Send a mail [to|to {name}|to a friend] under the subject {subject} and attach [file|{file}|the file]",
        f"[to|{name}|Someone] needs [file|{file}|a document], send it by mail with the subject {subject}",
        f"Attach [file|{file}|what I need to send] to a new mail [to|for {name}|for them]. Subject: {subject}",
    )
    moves = [ways.pen(draw), *ways.address(draw, name), *_subject(draw, subject)]
    key = len(moves)
    moves += [
        tap("attach_button", draw.say("Tap Attach", "Tap the paper clip"), layer("AttachSheet")),
        tap(f"file_{index}", draw.say(f"Choose {file}", f"Tap {file}"), layer(None)),
        ways.send(draw),
    ]
    answers = (file, f"The file {file}.", f"It is called {file}.")
    slots = [draw.slot(words, "to", name, 1, _WHOM)]
    slots.append(draw.slot(words, "file", file, key + 1, ("Which file?", "What shall I attach?"), answers))
    result = data(lambda d: any(m["folder"] == "sent" and m["file"] == file for m in d["mails"]))
    return GoalPlan(words.full, (*moves, done()), result, tuple(slots), key)


def copy_to(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail with somebody in Cc. Slot `copy`."""
    draw, (name, other) = WordingSampler(chance), chance.sample(view.data["writers"], 2)
    subject, _ = chance.choice(_TOPICS)
    words = draw.goal(
        f"Send a mail to {name} with a copy [copy|to {other}|to somebody else], subject {subject}",
        f"Mail {name} about {subject} and put [copy|{other}|another person] in Cc",
        f"{name} gets a mail with the subject {subject}, [copy|{other}|a second person] should get a copy",
        f"Write to {name}, Cc [copy|{other}|someone], subject line {subject}, nothing else in the mail",
    )
    moves = [ways.pen(draw), *ways.address(draw, name)]
    key = len(moves)
    moves += [
        tap("open_cc", draw.say("Tap Cc", "Open the line for copies"), shows("cc_line")),
        tap("cc_line", draw.say("Tap the line Cc", "Go to the new line")),
        *ways.address(draw, other),
        *_subject(draw, subject),
        ways.send(draw),
    ]
    slot = draw.slot(words, "copy", other, key + 2, ("Who shall get a copy?", "Whom shall I put in Cc?"))
    result = data(lambda d: any(m["subject"] == subject and m.get("cc") == [other] for m in d["mails"]))
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key)


def keep_draft(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail begun and closed, so that it is a draft. Slots `to`, `subject`."""
    draw, name, (subject, _) = WordingSampler(chance), chance.choice(view.data["writers"]), chance.choice(_TOPICS)
    words = draw.goal(
        f"Start a mail [to|to {name}|to a friend] with the subject [subject|{subject}|I have in mind], as a draft",
        f"Prepare a mail [to|for {name}|for somebody] but do not send it yet, subject [subject|{subject}|to be set]",
        f"Draft[to| to {name}], subject [subject|{subject}|as discussed], I will finish the mail tonight",
        f"Begin a mail [to|to {name}|for me], [subject|{subject}|with a subject], and keep it in the drafts",
    )
    moves = [ways.pen(draw), *ways.address(draw, name), *_subject(draw, subject)]
    says = ("Close it so that it is kept", "Tap the cross at the top", "Tap Close and keep as draft")
    moves.append(tap("close_draft", draw.say(*says), snack("Saved in Drafts")))
    slots = [draw.slot(words, "to", name, 1, _WHOM), draw.slot(words, "subject", subject, 4, _SUBJECTS)]
    return GoalPlan(words.full, (*moves, done()), _sent(subject, folder="drafts"), tuple(slots))


def _reply_words(draw: WordingSampler, which: str, text: str) -> Wording:
    return draw.goal(
        f"Reply to the mail [mail|{which}|in my inbox][text|: {text}| as I would]",
        f"Answer the mail [mail|{which}|I got], [text|write {text}|write something]",
        f"The mail [mail|{which}|there] needs an answer[text|. Write {text}]",
        f"Please write back to the mail [mail|{which}|we spoke of] and say [text|{text}|what I think]",
    )


def reply(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An answer to a mail of the inbox. Slots `mail`, `text`; None when the mail cannot be reached."""
    draw, letter, text = WordingSampler(chance), chance.choice(ways.inbox(view)), chance.choice(_ANSWERS)
    found, which = ways.reach(view, chance, letter), ways.named(view, chance, letter)
    if found is None:
        return None
    words = _reply_words(draw, which, text)
    moves = [*found, ways.open_letter(draw, letter)]
    moves += [
        tap("reply_letter", draw.say("Tap Reply", "Press Reply", "Answer it"), page("ComposePage")),
        write(text, draw.say(f"Type {text}", f"Write: {text}", "Write the answer")),
        ways.send(draw),
    ]
    slots = (
        draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH),
        draw.slot(
            words, "text", text, len(moves) - 2, ("What shall I answer?", *_SAYS), (text, f"{text}.", f"Write: {text}.")
        ),
    )
    return GoalPlan(words.full, (*moves, done()), _sent(f"Re: {letter['subject']}", text), slots)


def reply_to_nobody(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the person has not written. None when everybody has."""
    there = {m["name"] for m in view.data["mails"]}
    missing = [name for name in view.data["writers"] if name not in there]
    if not missing:
        return None
    draw, name = WordingSampler(chance), chance.choice(missing)
    which = chance.choice((f"from {name}", f"that {name} sent", f"by {name}"))
    questions = (
        f"There is no mail from {name} yet. Do you mean another one?",
        f"{name} has not written. Shall I write a new mail to {name} instead?",
    )
    moves = (
        ways.look(draw),
        write(name, draw.say(f"Type {name}", f"Search for {name}"), shows("empty_text")),
        give_up(draw.say(f"No mail from {name} is there", f"{name} has not written anything")),
    )
    return GoalPlan(
        _reply_words(draw, which, chance.choice(_ANSWERS)).full,
        moves,
        shows("empty_text"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )


def forward(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail of the inbox on to somebody else. Slots `mail`, `to`; None when the mail cannot be reached."""
    draw, letter = WordingSampler(chance), chance.choice(ways.inbox(view))
    found, which = ways.reach(view, chance, letter), ways.named(view, chance, letter)
    if found is None:
        return None
    name = chance.choice([w for w in view.data["writers"] if w != letter["name"]])
    words = draw.goal(
        f"Forward the mail [mail|{which}|I just got] [to|to {name}|to a friend]",
        f"[to|{name}|Somebody] should read the mail [mail|{which}|too], forward it",
        f"Pass the mail [mail|{which}|in the inbox] on [to|to {name}|to the right person], please",
        f"Send the mail [mail|{which}|from earlier] on [to|to {name}|to one of my contacts]",
    )
    moves = [*found, ways.open_letter(draw, letter)]
    key = len(moves)
    moves.append(tap("forward_letter", draw.say("Tap Forward", "Press Forward"), page("ComposePage")))
    moves += [*ways.address(draw, name), ways.send(draw)]
    slots = (
        draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH),
        draw.slot(words, "to", name, key + 1, ("To whom shall I forward it?", "Who should get it?")),
    )
    return GoalPlan(words.full, (*moves, done()), _sent(f"Fwd: {letter['subject']}"), slots, key)


def _draft_goal(draw: WordingSampler, subject: str) -> str:
    return draw.say(
        f"Send the draft {subject} that I started",
        f"Finish what I began: the mail {subject} in the drafts can be sent as it is",
        f"My draft about {subject.lower()} is ready, please send it",
        f"Drafts: send {subject}",
    )


def send_draft(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A draft opened and sent. None without a draft."""
    drafts = [m for m in view.data["mails"] if m["folder"] == "drafts"]
    if not drafts:
        return None
    draw, letter = WordingSampler(chance), drafts[0]
    subject = letter["subject"]
    moves = (
        *ways.folder(draw, "drafts", "Drafts"),
        tap(f"mail_{letter['id']}", draw.say(f"Open {subject}", "Open the draft"), page("ComposePage")),
        ways.send(draw),
        done(),
    )
    return GoalPlan(_draft_goal(draw, subject), moves, _sent(subject), key=3)


def send_no_draft(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: there is no draft. None when there is one."""
    if any(m["folder"] == "drafts" for m in view.data["mails"]):
        return None
    draw, subject = WordingSampler(chance), chance.choice(_STARTED)
    questions = (
        f"There is no draft yet. Shall I write the mail about {subject.lower()}?",
        "The drafts are empty. Which mail do you mean?",
    )
    last = give_up(draw.say("There is no draft", "The drafts are empty, so there is nothing to send"))
    return GoalPlan(
        _draft_goal(draw, subject),
        (*ways.folder(draw, "drafts", "Drafts"), last),
        shows("empty_text"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )
