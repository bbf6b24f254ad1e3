"""Keeping the list in order: archive, pin, mute, delete, block, and the app's settings."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.messages.people import (
    WHO,
    Conversation,
    called,
    has,
    held,
    listed,
    menu,
    opened,
    persons,
    reached,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    back,
    data,
    done,
    give_up,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)


def _chosen(view: PhoneView, chance: Chance) -> tuple[Conversation, list[Move]] | None:
    chosen = chance.choice(listed(view))
    moves = reached(view, chance, chosen)
    return None if moves is None else (chosen, moves)


def archive(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation into the archive. Slot `who`; None when its row cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (chosen, moves) = WordingSampler(chance), found
    name, number, step, key = called(chosen), chosen["id"], len(moves), None
    words = draw.goal(
        f"Archive the conversation[who| with {name}]",
        f"Move[who| what {name} wrote| a conversation] to the archive",
        f"I am done[who| with {name}| with one of them], archive the chat please",
        f"Put the chat[who| with {name}] away, but don't delete it",
    )
    if chance.random() < 0.5:
        says = (f"Swipe {name} away", f"Swipe the conversation with {name} to the left", "Swipe the row to the left")
        moves.append(swipe(f"conversation_{number}", "left", draw.say(*says), has(number, archived=True)))
    else:
        key = step + 1
        moves += [held(draw, chosen), tap("menu_archive", draw.say("Choose Archive", "Tap Archive"), snack("Conv"))]
    slot = draw.slot(words, "who", name, step, WHO)
    return GoalPlan(words.full, (*moves, done()), has(number, archived=True), (slot,), key)


def _inbox_words(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Get the conversation with {name} back out of the archive",
        f"Move {name} from the archive to the inbox",
        f"I archived the chat with {name} by mistake, undo that",
        f"{name} should be in my list again, not in the archive",
    )


def _looked_up(draw: WordingSampler, name: str) -> list[Move]:
    return [
        tap("search_bar", draw.say("Tap Search messages", "Tap the search bar"), page("SearchPage")),
        write(name, draw.say(f"Type {name}", f"Search for {name}")),
    ]


def unarchive(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation found by the search and taken out of the archive. None when the archive is empty."""
    draw, archived = WordingSampler(chance), [c for c in view.data["conversations"] if c["archived"]]
    if not archived:
        return None
    chosen = chance.choice(archived)
    name, number = called(chosen), chosen["id"]
    moves, back_in, key = _looked_up(draw, name), has(number, archived=False), None
    if chance.random() < 0.5:
        says = ("Swipe the conversation to the right", f"Swipe {name} to the right")
        moves.append(swipe(f"conversation_{number}", "right", draw.say(*says), back_in))
    else:
        key = 3
        says = ("Choose Move to inbox", "Tap Move to inbox")
        moves += [held(draw, chosen), tap("menu_archive", draw.say(*says), back_in)]
    return GoalPlan(_inbox_words(draw, name).full, (*moves, done()), back_in, key=key)


def unarchive_too_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the conversation was never archived."""
    draw, chosen = WordingSampler(chance), chance.choice(listed(view))
    name, number = called(chosen), chosen["id"]
    moves = _looked_up(draw, name)
    if chance.random() < 0.7:
        moves += [held(draw, chosen), back(draw.say("Close the menu", "Go back"), layer(None))]
    end = draw.say(f"{name} is not in the archive", f"The conversation with {name} is in the list as it is")
    ask = draw.say(
        f"The conversation with {name} was never archived. Do you mean another one?",
        f"{name} is not in the archive. Whom did you archive by mistake?",
        f"{name} is not archived. Shall I open the chat in your list?",
    )
    reason = InfeasibilityReason.PREMATURE
    words = _inbox_words(draw, name).full
    return GoalPlan(words, (*moves, give_up(end)), has(number, archived=False), reason=reason, follow_up=ask)


def pin(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation kept at the top, or not any more. Slot `who`; None when its row cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (chosen, moves) = WordingSampler(chance), found
    name, number, on = called(chosen), chosen["id"], chosen["pinned"]
    words = (
        draw.goal(
            f"The chat[who| with {name}] need not stay at the top any more",
            f"Unpin[who| {name}| the conversation]",
            f"Take the pin off[who| {name}| the pinned conversation], please",
            f"Let[who| {name}| that conversation] move down the list like the others",
        )
        if on
        else draw.goal(
            f"Keep[who| {name}| one conversation] at the top of my messages",
            f"Pin[who| {name}| the conversation]",
            f"Pin the chat[who| with {name}], please, I need it each day",
            f"I want to see[who| {name}| one of my chats] first in the list from now on",
        )
    )
    step, entry = len(moves), "Unpin" if on else "Pin"
    moves += [
        held(draw, chosen),
        tap("menu_pin", draw.say(f"Choose {entry}", f"Tap {entry}"), has(number, pinned=not on)),
        done(),
    ]
    slot = draw.slot(words, "who", name, step, WHO)
    return GoalPlan(words.full, tuple(moves), has(number, pinned=not on), (slot,), key=step + 1)


def mute(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation without its sound, or with it again. Slot `who`; None when its row cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (chosen, moves) = WordingSampler(chance), found
    name, number, on = called(chosen), chosen["id"], chosen["muted"]
    words = (
        draw.goal(
            f"Let my phone ring again when[who| {name} writes| they write]",
            f"Unmute[who| {name}| the conversation]",
            f"Switch the notifications[who| for {name}] on again",
            f"I miss the messages[who| of {name}], unmute the chat please",
        )
        if on
        else draw.goal(
            f"Stop my phone from ringing each time[who| {name} writes| they write]",
            f"Mute[who| {name}| the conversation]",
            f"No more notifications[who| from {name}], please",
            f"I am in a meeting and[who| {name}| somebody] writes all the time, mute the chat",
        )
    )
    step, entry, key = len(moves), "Unmute" if on else "Mute", len(moves) + 1
    choose = tap("menu_mute", draw.say(f"Choose {entry}", f"Tap {entry}"), has(number, muted=not on))
    if chance.random() < 0.5:
        moves += [held(draw, chosen), choose]
    else:
        leave = back(draw.say("Go back to the list", "Go back"), page("ConversationListPage"))
        moves += [opened(draw, chosen), menu(draw), choose, leave]
        key = step + 2
    slot = draw.slot(words, "who", name, step, WHO)
    return GoalPlan(words.full, (*moves, done()), has(number, muted=not on), (slot,), key)


def delete(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation with all that was written. Slot `who`; None when its row cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (chosen, moves) = WordingSampler(chance), found
    name, number, step = called(chosen), chosen["id"], len(moves)
    words = draw.goal(
        f"Delete the conversation[who| with {name}]",
        f"Remove everything[who| {name} wrote| that was written] from this phone, the whole chat",
        f"I don't need the messages[who| of {name}] any more, delete them all",
        f"Would you delete my chat[who| with {name}]?",
    )
    moves += [
        held(draw, chosen),
        tap("menu_delete", draw.say("Choose Delete", "Tap Delete"), layer("DeleteConversation")),
        tap("button_ok", draw.say("Confirm with Delete", "Press Delete"), snack("Conversation deleted")),
        done(),
    ]
    gone = data(lambda d: all(c["id"] != number for c in d["conversations"]))
    slot = draw.slot(words, "who", name, step, WHO)
    return GoalPlan(words.full, tuple(moves), gone, (slot,), key=step + 1)


def mark(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation marked as read or unread. Slot `who`; None when its row cannot be reached."""
    if (found := _chosen(view, chance)) is None:
        return None
    draw, (chosen, moves) = WordingSampler(chance), found
    name, number, unread = called(chosen), chosen["id"], chosen["unread"]
    to, step = "read" if unread else "unread", len(moves)
    words = draw.goal(
        f"Mark[who| {name}| a conversation] as {to}",
        f"The conversation[who| with {name}] should count as {to}",
        f"Set[who| {name}| one chat] to {to}, please",
        f"I {'know' if unread else 'must not forget'} what[who| {name}| somebody] wrote, mark it as {to}",
    )
    marked = data(lambda d: any(c["id"] == number and bool(c["unread"]) != bool(unread) for c in d["conversations"]))
    choose = tap("menu_read", draw.say(f"Choose Mark as {to}", f"Tap Mark as {to}"), marked)
    slot = draw.slot(words, "who", name, step, WHO)
    return GoalPlan(words.full, (*moves, held(draw, chosen), choose, done()), marked, (slot,), key=step + 1)


def pick_several(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Two conversations archived in one go, by the selection."""
    first, second = chance.sample(listed(view)[:5], 2)
    draw, names, numbers = WordingSampler(chance), (called(first), called(second)), {first["id"], second["id"]}
    words = draw.goal(
        f"Archive {names[0]} and {names[1]} in one go",
        f"Select {names[0]} and {names[1]} and archive both",
        f"Both chats, {names[0]} and {names[1]}, into the archive please",
        f"Pick the conversations with {names[0]} and {names[1]} and put them away together",
    )
    says = (f"Tap {names[1]} as well", f"Select {names[1]} too")
    both = data(lambda d: {c["id"] for c in d["conversations"] if c["archived"]} >= numbers)
    moves = (
        held(draw, first),
        tap("menu_select", draw.say("Choose Select", "Tap Select"), data(lambda d: d["selected"] == [first["id"]])),
        tap(f"conversation_{second['id']}", draw.say(*says), data(lambda d: len(d["selected"]) == 2)),
        tap("action_archive", draw.say("Tap Archive", "Press Archive at the top"), both),
        done(),
    )
    return GoalPlan(words.full, moves, both, key=1)


def _details(draw: WordingSampler, chosen: Conversation) -> list[Move]:
    details = tap("menu_details", draw.say("Choose Details", "Tap Details"), page("DetailsPage"))
    return [opened(draw, chosen), menu(draw), details]


def block(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A person's number blocked. Slot `who`; None when the row cannot be reached."""
    chosen = chance.choice(persons(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, name, number, step = WordingSampler(chance), called(chosen), chosen["id"], len(moves)
    words = draw.goal(
        f"Block[who| {name}| the number]",
        f"I want no more messages[who| from {name}| from that number], block it",
        f"Please block the number[who| of {name}]",
        f"[who|{name}|Somebody] keeps bothering me, see to it that no messages come through",
    )
    moves += _details(draw, chosen)
    key = len(moves)
    blocked = data(lambda d: number in d["blocked"])
    moves += [
        tap("block_button", draw.say("Tap Block", "Choose Block"), layer("BlockDialog")),
        tap("button_ok", draw.say("Confirm with Block", "Press Block"), blocked),
        done(),
    ]
    slot = draw.slot(words, "who", name, step, ("Who should be blocked?", "Whose number do you mean?"))
    return GoalPlan(words.full, tuple(moves), blocked, (slot,), key)


def unblock_too_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nobody was blocked. None when the row cannot be reached."""
    chosen = chance.choice(persons(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, name = WordingSampler(chance), called(chosen)
    words = draw.goal(
        f"Unblock {name}",
        f"I want to get messages from {name} again, unblock the number",
        f"Please take {name} off the blocked numbers",
        f"{name} and I have made up, lift the block",
    )
    end = draw.say(f"{name} is not blocked", "The number was never blocked", "Nobody is blocked")
    ask = draw.say(
        f"{name} is not blocked. Is somebody else meant?",
        f"The number of {name} was never blocked. Shall I look at the notifications instead?",
        f"Messages from {name} come through already. Do you mean another contact?",
    )
    moves += _details(draw, chosen)
    result = data(lambda d: not d["blocked"])
    reason = InfeasibilityReason.PREMATURE
    return GoalPlan(words.full, (*moves, give_up(end)), result, reason=reason, follow_up=ask)
