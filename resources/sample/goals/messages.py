"""Reading, answering and tidying up messages."""

from __future__ import annotations

from stepscope.resources.sample.script import (
    Script,
    Then,
    back,
    by_words,
    data,
    done,
    hold,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)


def said(name: str, text: str) -> Then:
    """The last message in the conversation called `name` is ours and reads `text`."""
    return data(
        lambda d: any(
            c["name"] == name and c["messages"] and c["messages"][-1]["text"] == text for c in d["conversations"]
        )
    )


SCRIPTS = (
    Script(
        id="messages-dinner-answer",
        goal="Tell Perla that half past seven is fine",
        app="messages",
        seed=1,
        moves=(
            tap("conversation_8", "Open the conversation with Perla Jellicoe", page("ThreadPage")),
            tap("compose_message_text", "Tap on Text message"),
            write("Half past seven is fine", "Type the answer"),
            tap("send_message_button", "Send it", said("Perla Jellicoe", "Half past seven is fine")),
            done(),
        ),
        result=said("Perla Jellicoe", "Half past seven is fine"),
    ),
    Script(
        id="messages-archive-services",
        goal="Archive what Fjord Mobile and the parcel people wrote",
        app="messages",
        seed=4,
        moves=(
            swipe("conversation_3", "left", "Swipe Fjord Mobile away", snack("Conversation archived")),
            swipe("conversation_7", "left", "Swipe Parcel Desk away", snack("Conversation archived")),
            done(),
        ),
        result=data(lambda d: {c["id"] for c in d["conversations"] if c["archived"]} >= {3, 7}),
    ),
    Script(
        id="messages-pin-hamza",
        goal="Keep Hamza at the top of my messages",
        app="messages",
        seed=3,
        moves=(
            hold("conversation_6", "Press and hold Hamza Greengage", layer("ConversationMenu")),
            tap("menu_pin", "Choose Pin", snack("Pinned to the top")),
            done(),
        ),
        result=data(lambda d: next(c["pinned"] for c in d["conversations"] if c["id"] == 6)),
    ),
    Script(
        id="messages-new-chat",
        goal="Write to Tove: The keys are under the pot",
        app="messages",
        seed=2,
        moves=(
            tap("start_chat", "Start a chat", page("NewMessagePage")),
            write("Tove", "Type Tove"),
            tap(by_words("Tove Kettlewood", "contact_"), "Choose Tove Kettlewood", page("ThreadPage")),
            write("The keys are under the pot", "Type the message"),
            tap("send_message_button", "Press the arrow", said("Tove Kettlewood", "The keys are under the pot")),
            done(),
        ),
        result=said("Tove Kettlewood", "The keys are under the pot"),
    ),
    Script(
        id="messages-soup-recipe",
        goal="Find the message with the lentil soup",
        app="messages",
        seed=6,
        moves=(
            tap("search_bar", "Tap Search messages", page("SearchPage")),
            write("lentil", "Type lentil"),
            tap(by_words("Vesna Jellicoe", "message_hit_"), "Open the first message found", page("ThreadPage")),
            done(),
        ),
        result=lambda view: view.state["arg"] == 4,
    ),
    Script(
        id="messages-mute-umar",
        goal="Stop my phone from ringing each time Umar writes",
        app="messages",
        seed=1,
        moves=(
            tap("conversation_4", "Open the conversation with Umar Greengage", page("ThreadPage")),
            tap("menu_overflow", "Open the menu in the corner", layer("Menu")),
            tap("menu_mute", "Tap Mute", snack("Muted")),
            back("Go back to the list", page("ConversationListPage")),
            done(),
        ),
        result=data(lambda d: next(c["muted"] for c in d["conversations"] if c["id"] == 4)),
    ),
)
