"""Reading and tidying: archive, flag, label, move, find, and what is in other folders."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.mail import ways
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    PhoneView,
    Then,
    by_words,
    data,
    done,
    give_up,
    layer,
    page,
    shows,
    snack,
    swipe,
    tap,
    write,
)

_FOLDERS = {"archive": "Archive", "spam": "Spam", "bin": "Bin"}


def _is(number: int, key: str, value: object) -> Then:
    return data(lambda d: any(m["id"] == number and m[key] == value for m in d["mails"]))


def archive_by_swipe(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail archived without being opened. Slot `mail`; None when it cannot be reached."""
    draw, letter = WordingSampler(chance), chance.choice(ways.inbox(view))
    found, which = ways.reach(view, chance, letter), ways.named(view, chance, letter)
    if found is None:
        return None
    words = draw.goal(
        f"Archive the mail [mail|{which}|in my inbox that is dealt with]",
        f"The mail [mail|{which}|I have answered] is done, swipe it into the archive",
        f"Put the mail [mail|{which}|that only takes up room] away in the archive",
        f"Out of the inbox with the mail [mail|{which}|I read], but keep it in the archive",
    )
    says = (f"Swipe {letter['subject']} to the left", f"Swipe the mail from {letter['name']} away")
    moved = swipe(f"mail_{letter['id']}", "left", draw.say(*says), snack("Moved to the archive"))
    slot = draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH)
    return GoalPlan(words.full, (*found, moved, done()), _is(letter["id"], "folder", "archive"), (slot,))


def archive_after_reading(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail opened, then archived. Slot `mail`; None when it cannot be reached."""
    draw, letter = WordingSampler(chance), chance.choice(ways.inbox(view))
    found, which = ways.reach(view, chance, letter), ways.named(view, chance, letter)
    if found is None:
        return None
    words = draw.goal(
        f"Open the mail [mail|{which}|I have not dealt with] and then archive it",
        f"Let me see the mail [mail|{which}|from this week], afterwards it can go to the archive",
        f"Read and archive the mail [mail|{which}|in question]",
        f"Show the mail [mail|{which}|that came], then file it in the archive, please",
    )
    says = ("Tap Archive", "Tap the box at the top", "Put it in the archive")
    moves = [*found, ways.open_letter(draw, letter)]
    moves.append(tap("archive_letter", draw.say(*says), snack("Moved to the archive")))
    slot = draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH)
    result = _is(letter["id"], "folder", "archive")
    return GoalPlan(words.full, (*moves, done()), result, (slot,))


def delete_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail into the bin, from its page or its menu. Slot `mail`; None when it cannot be reached."""
    draw, letter = WordingSampler(chance), chance.choice(ways.inbox(view))
    found, which = ways.reach(view, chance, letter), ways.named(view, chance, letter)
    if found is None:
        return None
    words = draw.goal(
        f"Delete the mail [mail|{which}|I don't need]",
        f"Throw the mail [mail|{which}|that annoys me] into the bin",
        f"I won't need the mail [mail|{which}|in the inbox] again, please bin it",
        f"Bin: the mail [mail|{which}|I mean]",
    )
    if chance.random() < 0.5:
        moves = [*found, ways.open_letter(draw, letter)]
        moves.append(tap("bin_letter", draw.say("Tap the bin", "Tap Move to the bin"), snack("Moved to the bin")))
    else:
        moves = [*found, ways.hold_letter(draw, letter)]
        says = ("Choose Move to the bin", "Tap Move to the bin")
        moves.append(tap("mail_bin", draw.say(*says), snack("Moved to the bin")))
    slot = draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH)
    return GoalPlan(words.full, (*moves, done()), _is(letter["id"], "folder", "bin"), (slot,))


def flag_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail's flag put on or taken off. Slot `mail`; None when it cannot be reached."""
    draw, letter = WordingSampler(chance), chance.choice(ways.inbox(view))
    found, which = ways.reach(view, chance, letter, "flag"), ways.named(view, chance, letter)
    if found is None:
        return None
    raised = not letter["flagged"]
    words = draw.goal(
        f"{'Flag' if raised else 'Take the flag off'} the mail [mail|{which}|I talked about]",
        f"The mail [mail|{which}|in my inbox] should {'have a' if raised else 'no longer have its'} flag",
        f"{'Put a flag on' if raised else 'Remove the flag from'} the mail [mail|{which}|that matters here]",
        f"{'Watch' if raised else 'I settled'} the mail [mail|{which}|I mean], so flag {'on' if raised else 'off'}",
    )
    says = (f"Tap the flag beside {letter['subject']}", f"Tap the flag of {letter['name']}'s mail", "Tap its flag")
    flipped = _is(letter["id"], "flagged", raised)
    moves = (*found, tap(f"flag_{letter['id']}", draw.say(*says), flipped), done())
    slot = draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH)
    return GoalPlan(words.full, moves, flipped, (slot,))


def label_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A label on a mail. Slots `mail`, `label`; None when it has the label or cannot be reached."""
    draw = WordingSampler(chance)
    letter, index = chance.choice(ways.inbox(view)), chance.randrange(len(view.data["labels"]))
    label, found = view.data["labels"][index], ways.reach(view, chance, letter)
    if found is None or label in letter["labels"]:
        return None
    which = ways.named(view, chance, letter)
    words = draw.goal(
        f"Label the mail [mail|{which}|from before] [label|as {label}|properly]",
        f"Put [label|the label {label}|a label] on the mail [mail|{which}|I mean]",
        f"The mail [mail|{which}|there] belongs to [label|{label}|one of my labels], label it please",
        f"So that I find it again, give the mail [mail|{which}|in my inbox] [label|the label {label}|its label]",
    )
    moves = [*found, *ways.letter_menu(draw, letter)]
    moves.append(tap("mail_label", draw.say("Choose Labels", "Tap Labels"), layer("LabelSheet")))
    key = len(moves) - 1
    says = (f"Tick {label}", f"Tap {label}", f"Choose {label}")
    moves.append(tap(f"pick_label_{index}", draw.say(*says)))
    moves.append(tap("labels_done", draw.say("Tap Done", "Close with Done"), layer(None)))
    slots = (
        draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH),
        draw.slot(words, "label", label, key + 1, ("Which label?", "Which of your labels shall it get?")),
    )
    result = data(lambda d: any(m["id"] == letter["id"] and label in m["labels"] for m in d["mails"]))
    return GoalPlan(words.full, (*moves, done()), result, slots, key)


def move_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail into another folder. Slots `mail`, `folder`; None when it cannot be reached."""
    draw, letter = WordingSampler(chance), chance.choice(ways.inbox(view))
    target, found = chance.choice(list(_FOLDERS)), ways.reach(view, chance, letter)
    if found is None:
        return None
    title, which = _FOLDERS[target], ways.named(view, chance, letter)
    words = draw.goal(
        f"Move the mail [mail|{which}|I mentioned] to [folder|the folder {title}|another folder]",
        f"The mail [mail|{which}|of theirs] should lie in [folder|{title}|a different folder]",
        f"Move it to [folder|{title}|where it belongs]: the mail [mail|{which}|from the inbox]",
        f"Please use Move to and put the mail [mail|{which}|that I read] into [folder|{title}|the folder]",
    )
    moves = [*found, *ways.letter_menu(draw, letter)]
    moves.append(tap("mail_move", draw.say("Choose Move to", "Tap Move to"), layer("MoveDialog")))
    key = len(moves) - 1
    said = draw.say(f"Choose {title}", f"Tap {title}")
    moves.append(tap(by_words(title, "option_"), said, snack(f"Moved to {title}")))
    slots = (
        draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH),
        draw.slot(words, "folder", title, key + 1, ("To which folder?", "Where shall I move it?")),
    )
    only_way = key if target == "spam" else None  # archive and bin have buttons of their own
    return GoalPlan(words.full, (*moves, done()), _is(letter["id"], "folder", target), slots, only_way)


def mark_unread(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail that was read back to unread. Slot `mail`; None without one in reach."""
    draw, read = WordingSampler(chance), [letter for letter in ways.inbox(view) if letter["read"]]
    if not read:
        return None
    letter = chance.choice(read)
    found, which = ways.reach(view, chance, letter), ways.named(view, chance, letter)
    if found is None:
        return None
    words = draw.goal(
        f"Mark the mail [mail|{which}|from the inbox] as unread",
        f"I want to read the mail [mail|{which}|there] again later, make it unread",
        f"Set the mail [mail|{which}|I opened] back to unread",
        f"Treat the mail [mail|{which}|in question] as if I had not read it",
    )
    if chance.random() < 0.5:
        says = (f"Swipe {letter['subject']} to the right", f"Swipe the mail from {letter['name']} to the right")
        moves = [*found, swipe(f"mail_{letter['id']}", "right", draw.say(*says))]
    else:
        moves = [*found, ways.hold_letter(draw, letter)]
        moves.append(tap("mail_unread", draw.say("Choose Mark as unread", "Tap Mark as unread"), layer(None)))
    slot = draw.slot(words, "mail", f"the one {which}", len(found), ways.WHICH)
    return GoalPlan(words.full, (*moves, done()), _is(letter["id"], "read", False), (slot,))


def all_read(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Every mail of the inbox marked as read, by the menu."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Mark every mail in the inbox as read",
        "All mails read, please",
        "I don't like the bold lines in my inbox: mark all mail as read",
        "Pretend that I read the whole inbox",
    )
    says = ("Choose Mark all as read", "Tap Mark all as read")
    moves = (ways.mailbox_menu(draw), tap("all_read", draw.say(*says), snack("All mail here is read")), done())
    result = data(lambda d: all(m["read"] for m in d["mails"] if m["folder"] == "inbox"))
    return GoalPlan(words.full, moves, result)


def only_unread(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The inbox without what was read, by the menu."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Show me only the unread mail",
        "Hide the mails of the inbox that I have read",
        "Which mails have I not read yet? Filter the inbox",
        "Inbox: unread mail only",
    )
    says = ("Choose Only unread mail", "Tap Only unread mail")
    moves = (ways.mailbox_menu(draw), tap("unread_only", draw.say(*says), shows("unread_note")), done())
    return GoalPlan(words.full, moves, data(lambda d: d["onlyUnread"]), key=1)


def find_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A mail searched for over all folders, and opened. Slot `topic`."""
    draw = WordingSampler(chance)
    letter = chance.choice([m for m in view.data["mails"] if m["folder"] in ("inbox", "archive", "sent")])
    subject, text = letter["subject"], letter["subject"].split()[chance.randrange(2)].lower()
    words = draw.goal(
        f"Search my mail for [topic|{subject}|something] and open it",
        f"Find the mail [topic|{subject}|I am looking for] and show it to me",
        f"Where is that mail[topic|, the subject was {subject}]? Open it, please",
        f"Look through all folders for [topic|{subject}|an old mail] and open what you find",
    )
    full = chance.random() < 0.5 or sum(text in _words(m) for m in view.data["mails"]) > 1
    typed = subject.lower() if full else text
    says = (f"Open {subject}", f"Tap {subject}", "Open what was found")
    moves = (
        ways.look(draw),
        write(typed, draw.say(f"Type {typed}", f"Search for {typed}"), shows(f"mail_{letter['id']}")),
        tap(f"mail_{letter['id']}", draw.say(*says), page("LetterPage")),
        done(),
    )
    questions = ("What shall I search for?", "What is the mail about?", "Do you remember the subject?")
    slot = draw.slot(words, "topic", subject, 1, questions)
    return GoalPlan(words.full, moves, lambda v: bool(v.state["arg"] == letter["id"]), (slot,))


def _words(letter: ways.Letter) -> str:
    return f"{letter['name']} {letter['subject']} {' '.join(letter['lines'])}".lower()


def open_label(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The mails of one label. Slot `label`."""
    draw, index = WordingSampler(chance), chance.randrange(len(view.data["labels"]))
    label = view.data["labels"][index]
    words = draw.goal(
        f"Show all mails [label|labelled {label}|with a certain label]",
        f"Which mails have [label|the label {label}|that label]?",
        f"Open [label|{label}|one of the labels] in my mail",
        f"Let me see the mail [label|under {label}|under one label] only",
    )
    says = (f"Tap {label}", f"Open {label}", f"Choose the label {label}")
    opened = data(lambda d: d["label"] == label)
    moves = (ways.drawer(draw), tap(f"open_label_{index}", draw.say(*says), opened), done())
    slot = draw.slot(words, "label", label, 1, ("Which label?", "Which of your labels do you mean?"))
    return GoalPlan(words.full, moves, opened, (slot,))


def empty_spam(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Everything in the spam folder deleted for good."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Empty the spam folder of my mail",
        "Delete all the spam for good",
        "Clear out spam, I never read those mails",
        "Could you get rid of everything that lies in the Spam folder?",
    )
    moves = (
        *ways.folder(draw, "spam", "Spam"),
        tap("empty_folder", draw.say("Tap Empty spam", "Press Empty spam"), layer("EmptyFolderDialog")),
        tap("button_ok", draw.say("Confirm with Empty", "Tap Empty"), layer(None)),
        done(),
    )
    return GoalPlan(words.full, moves, data(lambda d: all(m["folder"] != "spam" for m in d["mails"])), key=2)


def _restore_words(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Get the mail[mail| from {name}] back out of the bin into the inbox",
        f"I deleted a mail[mail| from {name}] by mistake, restore it to the inbox",
        f"Move the mail[mail| by {name}| I threw away] from the bin to my inbox again",
        f"The deleted mail[mail| from {name}], I need it in the inbox after all",
    )


def restore_mail(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A deleted mail back into the inbox. Slot `mail`; None when the bin is empty."""
    binned = [m for m in view.data["mails"] if m["folder"] == "bin"]
    if not binned:
        return None
    draw, letter = WordingSampler(chance), chance.choice(binned)
    words = _restore_words(draw, letter["name"])
    moves = (
        *ways.folder(draw, "bin", "Bin"),
        ways.hold_letter(draw, letter),
        tap("mail_move", draw.say("Choose Move to", "Tap Move to"), layer("MoveDialog")),
        tap(by_words("Inbox", "option_"), draw.say("Choose Inbox", "Tap Inbox"), snack("Moved to Inbox")),
        done(),
    )
    slot = draw.slot(words, "mail", f"the one from {letter['name']}", 2, ways.WHICH)
    return GoalPlan(words.full, moves, _is(letter["id"], "folder", "inbox"), (slot,))


def restore_nothing(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the bin is empty. None when it is not."""
    if any(m["folder"] == "bin" for m in view.data["mails"]):
        return None
    draw, questions = (
        WordingSampler(chance),
        ("The bin is empty. Where else could the mail be?", "Which mail did you delete?"),
    )
    return GoalPlan(
        _restore_words(draw, chance.choice(view.data["writers"])).full,
        (*ways.folder(draw, "bin", "Bin"), give_up(draw.say("The bin is empty", "There is no deleted mail"))),
        shows("empty_text"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )
