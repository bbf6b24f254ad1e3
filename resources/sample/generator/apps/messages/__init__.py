"""What people want of their messages: writing, answering, finding, keeping the list in order."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.messages import people, tidying, writing
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, data, page, scroll, tap


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw, seen = WordingSampler(chance), [c for c in people.listed(view)[:5] if not c["unread"]]
    inbox = page("ConversationListPage")
    every = tap("filter_all", draw.say("Show all again", "Tap All"), data(lambda d: d["filter"] == "all"))
    ways: list[tuple[Move, ...]] = [
        (
            tap("search_bar", draw.say("Tap Search messages", "Open the search"), page("SearchPage")),
            tap("navigate_up", draw.say("Leave the search", "Tap the arrow to go back"), inbox),
        ),
        (
            tap("filter_people", draw.say("Show only people", "Tap People"), data(lambda d: d["filter"] == "people")),
            every,
        ),
        (
            tap("start_chat", draw.say("Tap Start chat", "Look at the contacts"), page("NewMessagePage")),
            tap("navigate_up", draw.say("Go back to the list", "Tap the arrow to go back"), inbox),
        ),
    ]
    if seen:
        chosen = chance.choice(seen[:3])
        ways.append((people.opened(draw, chosen), back(draw.say("Go back to the list", "Go back"), inbox)))
    return tuple(ways)


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw, first = WordingSampler(chance), people.listed(view)[0]
    details = tap("menu_details", draw.say("Look at the details", "Tap Details"), page("DetailsPage"))
    down = scroll("conversation_list", draw.say("Scroll down the conversations", "Scroll down"), share=0.3)
    search = tap("search_bar", draw.say("Tap Search messages", "Try the search"), page("SearchPage"))
    return (
        (people.opened(draw, first), people.menu(draw)),
        (people.opened(draw, first), people.menu(draw), details),
        (down, search),
        (tap("start_chat", draw.say("Look at the contacts", "Tap Start chat"), page("NewMessagePage")),),
    )


_TEMPLATES = (
    writing.send_text,
    writing.start_chat,
    writing.quick_reply,
    writing.send_photo,
    writing.like_message,
    writing.forward,
    writing.find_message,
    writing.answer_nobody,
    writing.no_draft,
    tidying.archive,
    tidying.unarchive,
    tidying.unarchive_too_early,
    tidying.pin,
    tidying.mute,
    tidying.delete,
    tidying.mark,
    tidying.pick_several,
    tidying.block,
    tidying.unblock_too_early,
)

GOALS = AppGoals(
    app="messages",
    title="Messages",
    category="communication",
    held_out=False,
    templates=tuple(Template(plan.__name__, "messages", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
