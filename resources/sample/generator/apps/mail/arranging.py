"""Labels and settings."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.mail import ways
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import PhoneView, by_words, data, done, give_up, layer, page, snack, tap, write

_LABELS = ("Garden", "Taxes", "Wedding", "Car", "School", "Band", "Recipes", "Landlord")
_USUAL = ("Home", "Work", "Travel", "Receipts", "Family", "Club", "Read later")
"""What labels are often called; the app has some of them."""
_SIGNATURES = ("Robin", "Best, Robin", "See you soon", "Robin, third floor", "Kind regards from the coast")
_ABSENCES = (
    "I am away until Monday",
    "On holiday, back in two weeks",
    "Please write to Mira while I am away",
    "I read mail only in the evening",
    "Back on the first of the month",
)
_SWITCHES = {
    "confirm": ("Ask before sending", "the question before a mail is sent"),
    "previews": ("Show the beginning", "the line with the beginning of each mail"),
    "pictures": ("Load pictures", "loading pictures in mails"),
    "notify": ("Notifications", "the notifications for new mail"),
}
_SWIPES = {"Delete": "delete the mail", "Flag": "flag the mail"}


def new_label(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A label of one's own. Slot `name`."""
    draw, name = WordingSampler(chance), chance.choice(_LABELS)
    words = draw.goal(
        f"Make a new mail label[name| called {name}]",
        f"Add [name|{name}|one more] to the labels of my mail",
        f"I want to sort my mail better, so create a label[name| {name}]",
        f"New label[name| {name}] in the mail app, please",
    )
    moves = (
        *ways.labels_page(draw),
        tap("new_label", draw.say("Tap New label", "Add a label"), layer("NewLabelDialog")),
        write(name, draw.say(f"Type {name}", f"Write {name}")),
        tap("asked_save", draw.say("Tap Save", "Save the label"), layer(None)),
        done(),
    )
    slot = draw.slot(words, "name", name, 3, ("What shall the label be called?", "Which name?"))
    return GoalPlan(words.full, moves, data(lambda d: name in d["labels"]), (slot,), key=2)


def rename_label(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another name for a label. Slots `old`, `name`."""
    draw, index, name = WordingSampler(chance), chance.randrange(len(view.data["labels"])), chance.choice(_LABELS)
    old = view.data["labels"][index]
    words = draw.goal(
        f"Rename the mail label [old|{old}|I made] to [name|{name}|something else]",
        f"The label [old|{old}|of my mails] should be called [name|{name}|differently]",
        f"Change the label [old|{old}|with the wrong name] into [name|{name}|a better one] for all mails",
        f"Call the mail label [old|{old}|I told you about] [name|{name}|by a new name], please",
    )
    moves = (
        *ways.labels_page(draw),
        tap(f"label_{index}", draw.say(f"Tap {old}", f"Open {old}"), layer("RenameLabelDialog")),
        write(name, draw.say(f"Replace the name by {name}", f"Type {name} instead"), replace=True),
        tap("asked_save", draw.say("Tap Save", "Save the new name"), layer(None)),
        done(),
    )
    slots = (
        draw.slot(words, "old", old, 2, ("Which label do you mean?", "Which of the labels?")),
        draw.slot(words, "name", name, 3, ("What is the new name?", "What shall it be called?")),
    )
    result = data(lambda d: name in d["labels"] and old not in d["labels"])
    return GoalPlan(words.full, moves, result, slots)


def _delete_words(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Delete the mail label[label| {name}]",
        f"I no longer use the label[label| {name}] in my mail, remove it",
        f"Take [label|{name}|a label] off the list of mail labels",
        f"The label[label| {name}| from before] can go, my mails shall stay",
    )


def delete_label(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A label taken off the list. Slot `label`."""
    draw, index = WordingSampler(chance), chance.randrange(len(view.data["labels"]))
    name = view.data["labels"][index]
    words = _delete_words(draw, name)
    says = (f"Tap the bin beside {name}", f"Delete {name}", "Tap the bin in that line")
    moves = (
        *ways.labels_page(draw),
        tap(f"remove_label_{index}", draw.say(*says), layer("RemoveLabelDialog")),
        tap("button_ok", draw.say("Confirm with Delete", "Tap Delete"), layer(None)),
        done(),
    )
    slot = draw.slot(words, "label", name, 2, ("Which label?", "Which label shall be deleted?"))
    return GoalPlan(words.full, moves, data(lambda d: name not in d["labels"]), (slot,))


def delete_missing_label(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no label has the name."""
    draw, missing = WordingSampler(chance), [name for name in _USUAL if name not in view.data["labels"]]
    name = chance.choice(missing)
    questions = (
        f"There is no label {name} yet. Which one do you mean?",
        f"{name} is not among your labels. Shall I make it first, or do you mean another?",
    )
    return GoalPlan(
        _delete_words(draw, name).full,
        (*ways.labels_page(draw), give_up(draw.say(f"There is no label {name}", "No such label exists"))),
        page("LabelsPage"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=chance.choice(questions),
    )


def set_signature(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """What stands below each mail. Slot `text`."""
    draw, text = WordingSampler(chance), chance.choice(_SIGNATURES)
    words = draw.goal(
        f"Set my mail signature[text| to {text}]",
        f"Under each mail there should stand [text|{text}|something new]",
        f"Change the signature of my mails[text|: {text}]",
        f"I want to sign mails differently[text|, with {text}], please set that up",
    )
    moves = [*ways.settings(draw), tap("set_signature", draw.say("Tap Signature", "Open Signature"))]
    key, old = len(moves) - 1, bool(view.data["settings"]["signature"])
    moves += [
        write(text, draw.say(f"Type {text}", f"Write {text}", "Write the signature"), replace=old),
        tap("asked_save", draw.say("Tap Save", "Save the signature"), layer(None)),
    ]
    slot = draw.slot(
        words,
        "text",
        text,
        key + 1,
        ("What shall the signature say?", "How do you want to sign?"),
        (text, f"Just {text}."),
    )
    result = data(lambda d: d["settings"]["signature"] == text)
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key)


def out_of_office(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An answer that goes out by itself. Slot `text`."""
    draw, text = WordingSampler(chance), chance.choice(_ABSENCES)
    words = draw.goal(
        f"Switch on the out-of-office answer[text|: {text}]",
        f"I am leaving, so let the mail app answer by itself[text| with {text}]",
        f"Out of office on[text|, the answer is {text}]",
        f"Whoever mails me now should get an automatic answer[text| saying {text}]",
    )
    moves = [
        *ways.settings(draw),
        tap("set_away", draw.say("Tap Out of office", "Open Out of office"), page("AwayPage")),
    ]
    key = len(moves) - 1
    says = ("Switch on Answer by itself", "Tap Answer by itself", "Flip the switch")
    on = data(lambda d: d["settings"]["away"]["on"])
    moves += [
        tap("away_switch", draw.say(*says), on),
        tap("away_text", draw.say("Tap the field Answer", "Go to Answer")),
        write(text, draw.say(f"Type {text}", f"Write: {text}", "Write the answer")),
        tap("away_save", draw.say("Tap Save", "Save it"), snack("The answer is on")),
    ]
    slot = draw.slot(
        words,
        "text",
        text,
        key + 3,
        ("What shall the answer say?", "Which text shall people get?"),
        (text, f"{text}.", f"Say: {text}."),
    )
    result = data(lambda d: d["settings"]["away"] == {"on": True, "text": text})
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key)


def swipe_action(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """What a swipe to the left does. Slot `action`."""
    draw, action = WordingSampler(chance), chance.choice(list(_SWIPES))
    what = _SWIPES[action]
    words = draw.goal(
        f"Swiping a mail to the left should [action|{what}|do something else]",
        f"Mail settings: swipe to the left [action|is to {what}|should change]",
        f"When I swipe left on a mail, I want it to [action|{what}|act differently]",
        f"I archive too much by accident, let the left swipe [action|{what}|be another action] in my mail",
    )
    moves = [*ways.settings(draw), tap("set_swipe", draw.say("Tap Swipe to the left", "Open Swipe to the left"))]
    moves.append(tap(by_words(action, "option_"), draw.say(f"Choose {action}", f"Tap {action}"), layer(None)))
    questions = ("What shall it do: archive, delete or flag?", "Which action do you want?")
    slot = draw.slot(words, "action", what, len(moves) - 1, questions)
    result = data(lambda d: d["settings"]["swipe"] == action)
    return GoalPlan(words.full, (*moves, done()), result, (slot,), key=len(moves) - 2)


def flip_setting(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the mail settings on or off."""
    draw, kind = WordingSampler(chance), chance.choice(list(_SWITCHES))
    title, what = _SWITCHES[kind]
    on = not view.data["settings"][kind]
    state = "on" if on else "off"
    words = draw.goal(
        f"Switch {state} {what}",
        f"Please turn {what} {state} in the mail settings",
        f"In my mail I {'would like to have' if on else 'can do without'} {what}",
        f"{title}: {state}, in the mail app",
    )
    flipped = data(lambda d: d["settings"][kind] == on)
    moves = ways.settings(draw)
    moves.append(tap(f"set_{kind}", draw.say(f"Tap {title}", f"Switch {title} {state}"), flipped))
    return GoalPlan(words.full, (*moves, done()), flipped, key=len(moves) - 1)
