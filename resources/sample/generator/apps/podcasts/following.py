"""Goals about shows: subscribing, unsubscribing, alerts."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.podcasts.content import Item, shows
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    both,
    data,
    done,
    enter,
    give_up,
    layer,
    page,
    snack,
    swipe,
    tap,
    write,
)
from stepscope.resources.sample.script import shows as seen

_WHICH_TOPIC = ("Which topic do you mean?", "Shows about what?", "Which kind of show should it be?")
WHICH = ("Which show do you mean?", "What is the show called?", "Which podcast is it?")


def _to_show(drawn: WordingSampler, show: Item) -> tuple[Move, ...]:
    """By the search over all shows; the words are typed at index 2 and the show is tapped at index 4."""
    name = show["name"]
    return (
        tap("tab_explore", drawn.say("Open the Explore tab", "Go to Explore", "Tap Explore"), page("ExplorePage")),
        tap(
            "search_shows",
            drawn.say("Tap the search bar", "Tap Search all shows", "Open the search over all shows"),
            page("ShowSearchPage"),
        ),
        write(name, drawn.say(f"Type {name}", f"Enter the name {name}", f"Write {name}")),
        enter(drawn.say("Press the search key", "Press enter", "Start the search"), seen(f"show_{show['id']}")),
        tap(f"show_{show['id']}", drawn.say(f"Open {name}", f"Tap on {name}", "Tap the result"), page("ShowPage")),
    )


def _to_mine(drawn: WordingSampler, show: Item) -> tuple[Move, ...]:
    """By the tab with one's own shows; the show is tapped at index 1."""
    name = show["name"]
    return (
        tap("tab_shows", drawn.say("Open the Shows tab", "Go to Shows", "Tap Shows"), page("ShowsPage")),
        tap(
            f"show_{show['id']}",
            drawn.say(f"Open {name}", f"Tap on {name}", f"Choose the picture of {name}"),
            page("ShowPage"),
        ),
    )


def _subscribe(drawn: WordingSampler) -> Move:
    return tap(
        "subscribe", drawn.say("Tap Subscribe", "Press the Subscribe button", "Subscribe to it"), snack("Subscribed")
    )


def subscribe(view: PhoneView, chance: Chance) -> GoalPlan:
    """A show searched for and subscribed to. Slot `show`."""
    drawn = WordingSampler(chance)
    show = chance.choice(shows(view, mine=False))
    name = show["name"]
    goal = drawn.goal(
        f"Subscribe to [show|{name}|a podcast]",
        f"Please look for [show|the show {name}|a new show] and subscribe to it",
        f"A friend told me about [show|{name}|a podcast], add it to my subscriptions",
        f"I want to follow [show|{name}|one more show] from now on",
        f"Search for [show|{name}|a show], then subscribe",
    )
    return GoalPlan(
        goal.full,
        (*_to_show(drawn, show), _subscribe(drawn), done()),
        data(lambda d: show["id"] in d["subscribed"]),
        slots=(drawn.slot(goal, "show", name, 2, WHICH),),
        key=5,
    )


def subscribe_topic(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The one show of a topic that is not subscribed to."""
    drawn = WordingSampler(chance)
    topics = list(dict.fromkeys(show["topic"] for show in view.data["shows"]))
    near, far = topics[:4], topics[-2:]
    new = shows(view, mine=False)
    lone = [s for s in new if sum(s["topic"] == o["topic"] for o in new) == 1 and s["topic"] in near + far]
    if not lone:
        return None
    show = chance.choice(lone)
    topic = show["topic"]
    word = topic.lower().replace("languages", "language")
    goal = drawn.goal(
        f"Subscribe to the [topic|{word} |]show that I don't have yet",
        f"There are two [topic|{word} |]shows and I follow only one, add the other",
        f"Go through the [topic|{word}|] podcasts under Explore and subscribe to the one without a tick",
        f"I'd like all [topic|{word} |]shows among my subscriptions, please get the missing one",
    )
    chip = f"topic_{topic.lower()}"
    sideways = drawn.say("Swipe the row of topics to the left", "Look at the topics further right")
    turn = [swipe("topics", "left", sideways, then, share=0.8) for then in (None, seen(chip))]
    moves = (
        tap("tab_explore", drawn.say("Open the Explore tab", "Go to Explore", "Tap Explore"), page("ExplorePage")),
        *(turn if topic in far else ()),
        tap(chip, drawn.say(f"Tap {topic}", f"Choose the topic {topic}", f"Show only {topic}")),
        tap(
            f"show_{show['id']}",
            drawn.say(f"Open {show['name']}", "Open the show without a tick", f"Tap on {show['name']}"),
            page("ShowPage"),
        ),
        _subscribe(drawn),
        done(),
    )
    return GoalPlan(
        goal.full,
        moves,
        data(lambda d: show["id"] in d["subscribed"]),
        slots=(drawn.slot(goal, "topic", word, len(moves) - 4, _WHICH_TOPIC),),
        key=len(moves) - 2,
    )


def unsubscribe(view: PhoneView, chance: Chance) -> GoalPlan:
    """A show taken off the list of one's own. Slot `show`."""
    drawn = WordingSampler(chance)
    show = chance.choice(shows(view, mine=True))
    name = show["name"]
    goal = drawn.goal(
        f"Unsubscribe from [show|{name}|a show]",
        f"I don't listen to [show|{name}|one of my podcasts] any more, take it off my list",
        f"Please end my subscription[show| to {name}]",
        f"Stop following [show|{name}|a podcast]",
    )
    return GoalPlan(
        goal.full,
        (
            *_to_mine(drawn, show),
            tap(
                "unsubscribe",
                drawn.say("Tap Subscribed", "Press the button with the tick", "Tap Subscribed to end it"),
                layer("Unsubscribe"),
            ),
            tap(
                "button_ok",
                drawn.say("Confirm with Unsubscribe", "Tap Unsubscribe", "Say that you mean it"),
                snack("Unsubscribed"),
            ),
            done(),
        ),
        data(lambda d: show["id"] not in d["subscribed"]),
        slots=(drawn.slot(goal, "show", name, 1, WHICH),),
        key=2,
    )


def _alert_goals(name: str) -> tuple[str, ...]:
    return (
        f"Turn on alerts for [show|{name}|a show]",
        f"Tell me whenever [show|{name}|a podcast] has a new episode",
        f"Please switch the notifications of [show|{name}|one show] on",
        f"I keep missing new episodes[show| of {name}], turn its bell on",
    )


def alerts(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A show's bell switched on. Slot `show`; None when all bells are on."""
    drawn = WordingSampler(chance)
    silent = [show for show in shows(view, mine=True) if show["id"] not in view.data["notify"]]
    if not silent:
        return None
    show = chance.choice(silent)
    goal = drawn.goal(*_alert_goals(show["name"]))
    return GoalPlan(
        goal.full,
        (
            *_to_mine(drawn, show),
            tap(
                "show_alerts",
                drawn.say("Tap the bell", "Switch the alerts on", "Tap the crossed-out bell at the top"),
                data(lambda d: show["id"] in d["notify"]),
            ),
            done(),
        ),
        data(lambda d: show["id"] in d["notify"]),
        slots=(drawn.slot(goal, "show", show["name"], 1, WHICH),),
        key=2,
    )


def alerts_early(view: PhoneView, chance: Chance) -> GoalPlan:
    """Only shows that are subscribed to have a bell."""
    drawn = WordingSampler(chance)
    show = chance.choice(shows(view, mine=False))
    name = show["name"]
    why = drawn.say(
        f"{name} has no bell without a subscription", "There is no bell here", "This show is not subscribed to"
    )
    return GoalPlan(
        drawn.goal(*_alert_goals(name)).full,
        (*_to_show(drawn, show), give_up(why)),
        both(page("ShowPage"), data(lambda d: show["id"] not in d["subscribed"])),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=drawn.say(
            f"You have not subscribed to {name} yet. Should I subscribe first?",
            f"Alerts need a subscription. Shall I subscribe to {name}?",
        ),
    )


TEMPLATES = tuple(
    Template(name, "podcasts", plan)
    for name, plan in (
        ("podcasts-subscribe", subscribe),
        ("podcasts-subscribe-topic", subscribe_topic),
        ("podcasts-unsubscribe", unsubscribe),
        ("podcasts-alerts", alerts),
        ("podcasts-alerts-early", alerts_early),
    )
)
