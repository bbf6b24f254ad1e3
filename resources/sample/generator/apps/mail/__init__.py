"""What people want of their mail: reading, tidying, writing, labels and settings."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.mail import arranging, inbox, ways, writing
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, data, layer, page, scroll, tap, write


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    shut = back(draw.say("Close it again", "Go back"), layer(None))
    leave = back(draw.say("Go back to the inbox", "Go back", "Leave again"), page("MailboxPage"))
    key, title = chance.choice((("archive", "Archive"), ("sent", "Sent"), ("flagged", "Flagged"), ("spam", "Spam")))
    inbox_again = back(draw.say("Go back to the inbox", "Return to the inbox"), data(lambda d: d["folder"] == "inbox"))
    return (
        (ways.drawer(draw), shut),
        (ways.mailbox_menu(draw), shut),
        (*ways.folder(draw, key, title), inbox_again),
        (*ways.settings(draw), leave),
        (ways.hold_letter(draw, ways.inbox(view)[chance.randint(0, 3)]), shut),
        (*ways.labels_page(draw), leave),
    )


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    word = chance.choice(("answer", "again", "later", "photo"))
    letter = ways.inbox(view)[chance.randint(0, 3)]
    more = tap("letter_more", draw.say("Look in the menu", "Tap the three dots"), layer("LetterMenu"))
    return (
        _settings_search(draw),
        (ways.drawer(draw),),
        (ways.look(draw), write(word, draw.say(f"Try {word}", f"Type {word}"))),
        (ways.open_letter(draw, letter), more),
        (ways.mailbox_menu(draw), back(draw.say("Close the menu", "Go back"), layer(None)), ways.drawer(draw)),
        (scroll("letter_list", draw.say("Look through the inbox", "Scroll down the inbox"), share=0.3),),
    )


def _settings_search(draw: WordingSampler) -> tuple[Move, ...]:
    """Into the settings, and one of their pages."""
    away = tap("set_away", draw.say("Look into Out of office", "Open Out of office"), page("AwayPage"))
    return (*ways.settings(draw), away)


_TEMPLATES = (
    inbox.archive_by_swipe,
    inbox.archive_after_reading,
    inbox.delete_mail,
    inbox.flag_mail,
    inbox.label_mail,
    inbox.move_mail,
    inbox.mark_unread,
    inbox.all_read,
    inbox.only_unread,
    inbox.find_mail,
    inbox.open_label,
    inbox.empty_spam,
    inbox.restore_mail,
    inbox.restore_nothing,
    writing.write_mail,
    writing.short_mail,
    writing.attach_file,
    writing.copy_to,
    writing.keep_draft,
    writing.reply,
    writing.reply_to_nobody,
    writing.forward,
    writing.send_draft,
    writing.send_no_draft,
    arranging.new_label,
    arranging.rename_label,
    arranging.delete_label,
    arranging.delete_missing_label,
    arranging.set_signature,
    arranging.out_of_office,
    arranging.swipe_action,
    arranging.flip_setting,
)

GOALS = AppGoals(
    app="mail",
    title="Mail",
    category="communication",
    held_out=False,
    templates=tuple(Template(plan.__name__, "mail", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
