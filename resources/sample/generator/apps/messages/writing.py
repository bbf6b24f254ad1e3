"""Writing, answering, forwarding, and what has nothing to answer to."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.messages.people import (
    WHO,
    absent,
    called,
    has,
    listed,
    opened,
    persons,
    reached,
    said,
)
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    give_up,
    hold,
    layer,
    page,
    shows,
    swipe,
    tap,
    write,
)

TEXTS = (
    "I am on the bus", "The keys are under the pot", "Half past seven is fine", "See you at the station",
    "Can we meet tomorrow?", "I will bring the cake", "The door code is 4417", "Sorry, I am late",
    "Is it raining there?", "The tickets are booked",
)  # fmt: skip
REPLIES = ("On my way", "Thank you!", "Call you later", "Yes, sounds good", "Sorry, not today", "Where are you?")
PHOTOS = ("Lake", "Garden", "Sunset", "Snow", "Desert", "Dusk")
_WHAT = ("What shall I write?", "What should the message say?", "Which text shall I send?")


def _compose(draw: WordingSampler) -> Move:
    says = ("Tap Text message", "Tap the field for the message", "Touch the text field")
    return tap("compose_message_text", draw.say(*says), lambda v: v.state["keyboard"])


def _write(draw: WordingSampler, text: str) -> Move:
    return write(text, draw.say(f"Type {text}", "Type the message", f"Write: {text}"))


def _send(draw: WordingSampler, number: int, text: str) -> Move:
    says = ("Send the message", "Tap Send message", "Press the arrow")
    return tap("send_message_button", draw.say(*says), said(number, text))


def send_text(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A message to a person who is on the list. Slots `who`, `text`; None when the row cannot be reached."""
    chosen = chance.choice(persons(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, text, name, number = WordingSampler(chance), chance.choice(TEXTS), called(chosen), chosen["id"]
    words = draw.goal(
        f"Write[who| to {name}|]:[text| {text}| you know what]",
        f"Send[who| {name}| somebody] the message[text| {text}| I told you]",
        f"Could you tell[who| {name}| them] this:[text| {text}| the usual]",
        f"Answer[who| {name}| the message] with[text| {text}| a few words]",
        f"[who|{name} is waiting, text back|Somebody is waiting, text back]:[text| {text}| the news]",
    )
    step = len(moves)
    moves += [opened(draw, chosen), _compose(draw), _write(draw, text), _send(draw, number, text), done()]
    slots = (
        draw.slot(words, "who", name, step, ("To whom shall I write?", "Who should get the message?")),
        draw.slot(words, "text", text, step + 2, _WHAT),
    )
    return GoalPlan(words.full, tuple(moves), said(number, text), slots, key=step + 3)


def start_chat(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A message to a person by the contacts. Slots `who`, `text`."""
    draw, chosen, text = WordingSampler(chance), chance.choice(persons(view)), chance.choice(TEXTS)
    name, number = called(chosen), chosen["id"]
    words = draw.goal(
        f"Start a chat[who| with {name}] and send[text| {text}| a greeting of yours]",
        f"Pick[who| {name}| one] from my contacts and write[text| {text}| my message]",
        f"New message[who| to {name}]:[text| {text}| the one I have in mind]",
        f"Use Start chat to tell[who| {name}| a friend of mine]:[text| {text}| what I said]",
    )
    moves = (
        tap("start_chat", draw.say("Tap Start chat", "Press Start chat", "Start a chat"), page("NewMessagePage")),
        write(name, draw.say(f"Type {name}", f"Search for {name}")),
        tap(
            by_words(chosen["name"], "contact_"),
            draw.say(f"Choose {chosen['name']}", f"Tap {name}"),
            page("ThreadPage"),
        ),
        _compose(draw),
        _write(draw, text),
        _send(draw, number, text),
        done(),
    )
    slots = (
        draw.slot(words, "who", name, 1, ("With whom?", "Which of your contacts?", "Who should get it?")),
        draw.slot(words, "text", text, 4, _WHAT),
    )
    return GoalPlan(words.full, moves, said(number, text), slots, key=0)


def quick_reply(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the ready-made replies. Slot `text`; None when the row cannot be reached."""
    chosen = chance.choice(persons(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, at, name, number = WordingSampler(chance), chance.randrange(len(REPLIES)), called(chosen), chosen["id"]
    text = REPLIES[at]
    words = draw.goal(
        f"Send {name} the quick reply[text| {text}]",
        f"Answer {name} with one of the quick replies[text|: {text}]",
        f"My hands are full, give {name} the ready-made answer[text| {text}]",
        f"Quick reply to {name}[text|, {text}]",
    )
    says = ("Open the quick replies", "Tap Quick replies", "Tap the smiling face")
    moves += [opened(draw, chosen), tap("emoji_button", draw.say(*says), layer("ReplySheet"))]
    key, step = len(moves) - 1, len(moves)
    moves += [
        tap(f"reply_{at}", draw.say(f"Choose {text}", f"Tap {text}"), layer(None)),
        _send(draw, number, text),
        done(),
    ]
    slot = draw.slot(words, "text", text, step, ("Which of the quick replies?", "Which answer shall I send?"))
    return GoalPlan(words.full, tuple(moves), said(number, text), (slot,), key)


def send_photo(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A photo in a conversation. Slot `photo`; None when the row cannot be reached."""
    chosen = chance.choice(persons(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, at, name, number = WordingSampler(chance), chance.randrange(len(PHOTOS)), called(chosen), chosen["id"]
    photo = PHOTOS[at].lower()
    words = draw.goal(
        f"Send {name} the photo[photo| of the {photo}]",
        f"{name} asked for a picture, send[photo| the one with the {photo}| it]",
        f"Show {name} my picture[photo| of the {photo}]",
        f"Share[photo| the {photo} photo| a photo] with {name}, please",
    )
    attach = tap("attach_button", draw.say("Tap Attach", "Press the plus", "Attach something"), layer("AttachSheet"))
    moves += [opened(draw, chosen), attach]
    key, step = len(moves) - 1, len(moves)
    sent = data(lambda d: any(c["id"] == number and c["messages"][-1].get("photo") == at for c in d["conversations"]))
    moves += [tap(f"photo_{at}", draw.say(f"Choose {PHOTOS[at]}", f"Tap the {photo}"), sent), done()]
    slot = draw.slot(words, "photo", f"the {photo}", step, ("Which photo?", "Which of the pictures shall I send?"))
    return GoalPlan(words.full, tuple(moves), sent, (slot,), key)


def like_message(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A heart for a conversation's last message. Slot `who`; None when the row cannot be reached."""
    chosen = chance.choice(listed(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, name, number, last = WordingSampler(chance), called(chosen), chosen["id"], chosen["messages"][-1]["id"]
    words = draw.goal(
        f"Like the last message in the conversation[who| with {name}]",
        f"Put a heart on the newest message[who| of {name}'s chat]",
        f"Give the last message[who| in the chat with {name}] a like",
        f"Open[who| {name}| the chat] and like what was written last",
    )
    step, bubble, key = len(moves), f"message_{last}", None
    liked = data(lambda d: any(c["id"] == number and c["messages"][-1]["liked"] for c in d["conversations"]))
    moves.append(opened(draw, chosen))
    if chance.random() < 0.4:
        says = ("Swipe the last message to the right", "Push the newest message to the right")
        moves.append(swipe(bubble, "right", draw.say(*says), liked, share=0.4))
    else:
        says = ("Press and hold the last message", "Long press the newest message")
        key = len(moves) + 1
        moves.append(hold(bubble, draw.say(*says), layer("MessageMenu")))
        moves.append(tap("menu_like", draw.say("Choose Like", "Tap Like", "Tap the heart"), liked))
    slot = draw.slot(words, "who", name, step, WHO)
    return GoalPlan(words.full, (*moves, done()), liked, (slot,), key)


def forward(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A conversation's last message on to somebody else. Slot `who`; None when the row cannot be reached."""
    chosen, to = chance.sample(persons(view), 2)
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, name, number, last = WordingSampler(chance), called(to), to["id"], chosen["messages"][-1]
    source = called(chosen)
    words = draw.goal(
        f"Forward the last message of the chat with {source}[who| to {name}| to somebody else]",
        f"[who|{name}|Somebody] should read the end of my chat with {source}, forward it",
        f"Pass the newest message in {source}'s chat on[who| to {name}]",
        f"Open {source} and forward the last message[who| to {name}]",
    )
    moves += [
        opened(draw, chosen),
        hold(f"message_{last['id']}", draw.say("Press and hold the last message", "Hold it"), layer("MessageMenu")),
        tap("menu_forward", draw.say("Choose Forward", "Tap Forward"), page("NewMessagePage")),
    ]
    key, step = len(moves) - 1, len(moves)
    moves += [
        write(name, draw.say(f"Type {name}", f"Search for {name}")),
        tap(by_words(to["name"], "contact_"), draw.say(f"Choose {to['name']}", f"Tap {name}"), page("ThreadPage")),
        _send(draw, number, last["text"]),
        done(),
    ]
    slot = draw.slot(words, "who", name, step, ("To whom shall I forward it?", "Who should get it?"))
    return GoalPlan(words.full, tuple(moves), said(number, last["text"]), (slot,), key)


def find_message(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A message searched for by a rare word. Slot `word`; None when no message has such a word."""
    found = [(c, _rare(view, m["text"])) for c in view.data["conversations"] for m in c["messages"]]
    found = [(c, word) for c, word in found if word]
    if not found:
        return None
    draw, (chosen, word) = WordingSampler(chance), chance.choice(found)
    words = draw.goal(
        f"Find the message[word| with the word {word}]",
        f"Somebody wrote[word| about {word}| something important], open that message",
        f"Where did we write[word| {word}| about it]? Search and open it",
        f"Look for[word| {word}| a word] in my messages and open what you find",
    )
    moves = (
        tap("search_bar", draw.say("Tap Search messages", "Tap the search bar"), page("SearchPage")),
        write(word, draw.say(f"Type {word}", f"Search for {word}")),
        tap(
            by_words(chosen["name"], "message_hit_"),
            draw.say("Open the message that was found", f"Open the hit of {chosen['name']}"),
            page("ThreadPage"),
        ),
        done(),
    )
    slot = draw.slot(words, "word", word, 1, ("Which word shall I search for?", "What was the message about?"))
    return GoalPlan(words.full, moves, lambda v: v.state["arg"] == chosen["id"], (slot,), key=0)


def _rare(view: PhoneView, text: str) -> str:
    """A long word of `text` that no other message and no name has; empty when there is none."""
    texts = [m["text"].lower() for c in view.data["conversations"] for m in c["messages"]]
    texts += [c["name"].lower() for c in view.data["conversations"]]
    parts = [part for part in text.split() if part.isalpha() and len(part) > 4]
    return next((part for part in parts if sum(part.lower() in other for other in texts) == 1), "")


def _nobody(words: Wording, view: PhoneView, draw: WordingSampler, name: str) -> GoalPlan:
    """Nothing was written by `name`, so there is nothing to do it to."""
    moves = (
        tap("search_bar", draw.say("Tap Search messages", "Tap the search bar"), page("SearchPage")),
        write(name, draw.say(f"Type {name}", f"Search for {name}"), shows("empty_view")),
        give_up(draw.say(f"There is no message from {name}", f"{name} has not written", "No conversation was found")),
    )
    ask = draw.say(
        f"I find no message from {name}. Shall I write a new one?",
        f"{name} has not written anything here. Did you mean {called(draw.chance.choice(persons(view)))}?",
        f"There is no conversation with {name} yet. Shall I start one?",
    )
    reason = InfeasibilityReason.PREMATURE
    return GoalPlan(words.full, moves, page("SearchPage"), reason=reason, follow_up=ask)


def answer_nobody(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nobody of this name has written."""
    draw, text = WordingSampler(chance), chance.choice(TEXTS)
    name = chance.choice(absent(view))
    words = draw.goal(
        f"Answer {name} with {text}",
        f"{name} is waiting for an answer, text back: {text}",
        f"Like the last message in the conversation with {name}",
        f"Forward the last message of the chat with {name}",
        f"Put a heart on the newest message of {name}'s chat",
    )
    return _nobody(words, view, draw, name)


def no_draft(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no message to this person was begun. None when the row cannot be reached."""
    chosen = chance.choice(persons(view))
    if (moves := reached(view, chance, chosen)) is None:
        return None
    draw, name, number = WordingSampler(chance), called(chosen), chosen["id"]
    words = draw.goal(
        f"Send the draft I wrote to {name}",
        f"Finish what I began to write to {name}: just send it",
        f"Could you send {name} the text I have already typed?",
        f"There is an unsent message to {name}, send it off",
    )
    moves.append(opened(draw, chosen))
    end = draw.say("The text field is empty", f"There is no draft to {name}", "Nothing was typed yet")
    ask = draw.say(
        f"There is no draft to {name}. What shall I write?",
        f"Nothing has been typed in the conversation with {name}. What should the message say?",
        f"I find no unsent message to {name}. Shall I write one?",
    )
    reason = InfeasibilityReason.PREMATURE
    return GoalPlan(words.full, (*moves, give_up(end)), has(number), reason=reason, follow_up=ask)
