"""Goals about what is playing: speed, sleep timer, and playing something else."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.podcasts.content import also_under_latest, episode, shows
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    give_up,
    layer,
    page,
    snack,
    tap,
    write,
)

SPEEDS = ("0.8×", "1×", "1.2×", "1.5×", "1.8×", "2×")
SLEEPS = (5, 10, 20, 30, 45, 60)
_NUMBERS = {5: "five", 10: "ten", 20: "twenty", 30: "thirty", 45: "forty-five", 60: "sixty"}


def _player(drawn: WordingSampler) -> Move:
    says = (
        "Open the player from the bar at the bottom",
        "Tap the bar with the episode that is on",
        "Open what is playing",
    )
    return tap("now_bar", drawn.say(*says), page("ListenPage"))


def speed(view: PhoneView, chance: Chance) -> GoalPlan:
    """Another speed of playing. Slot `speed`."""
    drawn = WordingSampler(chance)
    wanted = chance.choice([s for s in SPEEDS if s != view.data["speed"]])
    said = drawn.say(wanted, wanted.replace("×", " times"))
    goal = drawn.goal(
        f"Change the playback speed[speed| to {said}]",
        f"Could you play this episode at [speed|{said}|another speed]? The pace does not suit me",
        f"Podcast speed[speed| {said}], please",
        f"I'd like the podcast to run [speed|at {said}|at a different speed], set it so",
    )
    asked = ("Which speed would you like?", "How fast should it play?", "What speed should I set?")
    return GoalPlan(
        goal.full,
        (
            _player(drawn),
            tap(
                "playback_speed",
                drawn.say("Tap Speed", "Open the playback speed", "Tap the left one of the three fields"),
                layer("SpeedSheet"),
            ),
            tap(
                f"speed_{wanted.removesuffix('×').replace('.', '_')}",
                drawn.say(f"Choose {wanted}", f"Tap {wanted}", f"Set the speed to {wanted}"),
                layer(None),
            ),
            done(),
        ),
        data(lambda d: d["speed"] == wanted),
        slots=(drawn.slot(goal, "speed", said, 2, asked),),
        key=1,
    )


def _sleep_sheet(drawn: WordingSampler) -> Move:
    return tap(
        "stop_timer",
        drawn.say("Tap the moon", "Open the sleep timer", "Tap the field with the moon"),
        layer("SleepSheet"),
    )


def sleep(view: PhoneView, chance: Chance) -> GoalPlan:
    """The podcast stops by itself. Slot `time`."""
    drawn = WordingSampler(chance)
    minutes = chance.choice([m for m in SLEEPS if m != view.data["sleep"]])
    said = drawn.say(f"{minutes} minutes", f"{_NUMBERS[minutes]} minutes", f"{minutes} min")
    goal = drawn.goal(
        f"Stop the podcast [time|in {said}|after a while], I'm going to bed",
        f"Set the sleep timer[time| to {said}]",
        f"Please let the episode run [time|for {said}|a little longer] and then stop by itself",
        f"Sleep timer[time|, {said}]",
        f"I always doze off over this show, make it stop [time|after {said}|by itself]",
    )
    asked = (
        "After how many minutes should it stop?",
        "How long should it go on?",
        "For how many minutes shall I set it?",
    )
    return GoalPlan(
        goal.full,
        (
            _player(drawn),
            _sleep_sheet(drawn),
            tap(
                f"sleep_{minutes}",
                drawn.say(
                    f"Choose {minutes} minutes", f"Tap {minutes} minutes", f"Pick the row with {minutes} minutes"
                ),
                snack("Stops in"),
            ),
            done(),
        ),
        data(lambda d: d["sleep"] == minutes),
        slots=(drawn.slot(goal, "time", said, 2, asked),),
        key=1,
    )


def sleep_off(view: PhoneView, chance: Chance) -> GoalPlan:
    """Feasible when a timer runs; otherwise there is nothing to turn off yet."""
    drawn = WordingSampler(chance)
    goal = drawn.goal(
        "Turn the sleep timer off, I want to hear the episode to its end",
        "Cancel the sleep timer",
        "I'm not tired after all, please take the sleep timer out",
        "Can you stop the podcast's sleep timer?",
    )
    way = (_player(drawn), _sleep_sheet(drawn))
    if view.data["sleep"] is not None:
        says = ("Turn the timer off", "Tap Turn the timer off", "Choose the last row to switch it off")
        return GoalPlan(
            goal.full,
            (*way, tap("sleep_off", drawn.say(*says), snack("Sleep timer off")), done()),
            data(lambda d: d["sleep"] is None),
            key=2,
        )
    return GoalPlan(
        goal.full,
        (*way, give_up(drawn.say("No timer is running", "There is no timer to turn off"))),
        layer("SleepSheet"),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=drawn.say(
            "No sleep timer is set. Should I set one?", "There is no sleep timer running, shall I start one for you?"
        ),
    )


def find_and_play(view: PhoneView, chance: Chance) -> GoalPlan:
    """Search by the title's words among one's own shows."""
    drawn = WordingSampler(chance)
    mine = [show["id"] for show in shows(view, mine=True)]
    item = chance.choice([e for e in view.data["episodes"] if e["show"] in mine and e["id"] != view.data["current"]])
    title = item["title"]
    goal = drawn.goal(
        f"Find [title|the episode {title}|an old episode] and play it",
        f"Play [title|“{title}”|that episode] for me",
        f"I want to listen to [title|{title}|an episode that I missed], could you search for it and start it?",
        f"Search my podcasts for [title|“{title}”|the right episode] and put it on",
    )
    asked = ("Which episode should I look for?", "What is the episode called?", "Which one do you mean?")
    return GoalPlan(
        goal.full,
        (
            tap(
                "find_episode",
                drawn.say("Tap the magnifying glass", "Open the search", "Tap Find an episode"),
                page("FindPage"),
            ),
            write(
                title,
                drawn.say(f"Type {title}", f"Enter {title}", "Type the title of the episode"),
                lambda view: by_words(title, "episode_")(view.tree) is not None,
            ),
            tap(
                f"play_{item['id']}",
                drawn.say(f"Play {title}", "Tap the play button of the result", f"Start {title}"),
                data(lambda d: d["current"] == item["id"]),
            ),
            done(),
        ),
        data(lambda d: d["current"] == item["id"] and d["playing"]),
        slots=(drawn.slot(goal, "title", title, 1, asked),),
    )


def oldest(view: PhoneView, chance: Chance) -> GoalPlan:
    """Turn a show's list round and start at its beginning."""
    drawn = WordingSampler(chance)
    playing = episode(view, view.data["current"])["show"]
    show = chance.choice([s for s in shows(view, mine=True) if s["id"] != playing])
    old = max((e for e in view.data["episodes"] if e["show"] == show["id"]), key=lambda e: e["days"])
    name = show["name"]
    goal = drawn.goal(
        f"Start [show|{name}|a show] from its oldest episode",
        f"Sort the episodes of [show|{name}|one of my shows] with the oldest first and play that one",
        f"I'd like to hear [show|{name}|a podcast] from the very beginning, play the earliest episode",
        f"Turn the list of [show|{name}|a show] round and put the first episode on",
    )
    asked = ("Which show do you mean?", "Which of your shows should I start?", "For which podcast?")
    return GoalPlan(
        goal.full,
        (
            tap("tab_shows", drawn.say("Open the Shows tab", "Go to Shows", "Tap Shows"), page("ShowsPage")),
            tap(
                f"show_{show['id']}",
                drawn.say(f"Tap {name}", f"Open {name}", f"Choose the show {name}"),
                page("ShowPage"),
            ),
            tap(
                "episode_order",
                drawn.say("Turn the order round", "Tap Newest first", "Switch to the oldest first"),
                data(lambda d: d["oldestFirst"]),
            ),
            tap(
                f"play_{old['id']}",
                drawn.say(f"Play {old['title']}", "Play the first episode of the list", "Tap the topmost play button"),
                data(lambda d: d["playing"] and d["current"] == old["id"]),
            ),
            done(),
        ),
        data(lambda d: d["playing"] and d["current"] == old["id"]),
        slots=(drawn.slot(goal, "show", name, 1, asked),),
    )


def play_saved(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Play an episode from the downloads."""
    drawn = WordingSampler(chance)
    saved = [n for n in view.data["downloaded"] if n != view.data["current"]]
    if not saved:
        return None
    item = episode(view, chance.choice(saved))
    goal = drawn.goal(*_offline_goals(item["title"]))
    return GoalPlan(
        goal.full,
        (
            _saved_tab(drawn),
            tap(
                f"saved_{item['id']}",
                drawn.say(f"Open {item['title']}", f"Tap on {item['title']}", f"Choose {item['title']} in the list"),
                page("EpisodePage"),
            ),
            tap("play_episode", drawn.say("Press Play", "Tap the Play button", "Start it"), snack("Playing")),
            done(),
        ),
        data(lambda d: d["current"] == item["id"] and d["playing"]),
        slots=(drawn.slot(goal, "title", item["title"], 1, _WHICH_SAVED),),
    )


_WHICH_SAVED = ("Which of the downloaded episodes?", "Which download should I play?", "Which episode is it?")


def _offline_goals(title: str) -> tuple[str, ...]:
    return (
        f"Play [title|{title}|an episode] from my downloads",
        f"I have no signal here, put on the downloaded [title|“{title}”|episode]",
        f"Please start [title|{title}|one of the episodes] from the ones saved on this phone",
        f"Listen offline[title| to {title}]",
    )


def _saved_tab(drawn: WordingSampler) -> Move:
    return tap("tab_saved", drawn.say("Open the Saved tab", "Go to Saved", "Tap Saved"), page("SavedPage"))


def play_missing(view: PhoneView, chance: Chance) -> GoalPlan:
    """The same wish for an episode that was never downloaded."""
    drawn = WordingSampler(chance)
    rest = [n for n in view.data["latest"] if n not in view.data["downloaded"]]
    item = episode(view, chance.choice(rest))
    return GoalPlan(
        drawn.goal(*_offline_goals(item["title"])).full,
        (
            _saved_tab(drawn),
            *also_under_latest(drawn, chance),
            give_up(drawn.say(f"{item['title']} is not among the downloads", "It is not in the list")),
        ),
        data(lambda d: item["id"] not in d["downloaded"]),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=drawn.say(
            f"“{item['title']}” is not downloaded yet. Should I download it first?",
            f"I find no download of {item['title']}, shall I fetch it?",
        ),
    )


TEMPLATES = tuple(
    Template(name, "podcasts", plan)
    for name, plan in (
        ("podcasts-speed", speed),
        ("podcasts-sleep", sleep),
        ("podcasts-sleep-off", sleep_off),
        ("podcasts-find-and-play", find_and_play),
        ("podcasts-oldest", oldest),
        ("podcasts-play-saved", play_saved),
        ("podcasts-play-missing", play_missing),
    )
)
