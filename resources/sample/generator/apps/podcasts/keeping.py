"""Goals about single episodes: downloads, the list of what comes next, marks."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.podcasts.content import also_under_latest, episode, latest, to_episode
from stepscope.resources.sample.generator.plan import Chance, GoalPlan, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, data, done, give_up, hold, layer, page, snack, swipe, tap

WHICH = ("Which episode do you mean?", "Which one is it?", "What is the episode called?")


def download(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An episode of the first page downloaded. Slot `title`; None when its row cannot be reached."""
    drawn = WordingSampler(chance)
    item = chance.choice([e for e in latest(view) if e["id"] not in view.data["downloaded"]])
    way = to_episode(view, chance, item)
    if way is None:
        return None
    title = item["title"]
    goal = drawn.goal(
        f"Download [title|the episode {title}|an episode]",
        f"Save [title|“{title}”|something to listen to] for my flight",
        f"Could you get [title|{title}|one of the new episodes] onto the phone so that I can hear it offline?",
        f"Please download [title|{title}|one of the latest episodes], the train has no network",
    )
    return GoalPlan(
        goal.full,
        (
            *way,
            tap(
                f"episode_{item['id']}",
                drawn.say(f"Open {title}", f"Tap on {title}", f"Tap the episode {title}"),
                page("EpisodePage"),
            ),
            tap(
                "download_episode",
                drawn.say("Tap Download", "Press Download", "Tap the button beside Play"),
                snack("Downloaded"),
            ),
            done(),
        ),
        data(lambda d: item["id"] in d["downloaded"]),
        slots=(drawn.slot(goal, "title", title, 0, WHICH),),
        key=len(way) + 1,
    )


def star(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A star for an episode of the first page. Slot `title`; None when its row cannot be reached."""
    drawn = WordingSampler(chance)
    item = chance.choice(latest(view))
    way = to_episode(view, chance, item)
    if way is None:
        return None
    title = item["title"]
    goal = drawn.goal(
        f"Give [title|{title}|an episode] a star",
        f"Star [title|“{title}”|that episode], I liked it a lot",
        f"Mark [title|the episode {title}|one of the episodes] with a star, please",
        f"I want to find [title|{title}|an episode] again, so star it",
    )
    return GoalPlan(
        goal.full,
        (
            *way,
            tap(
                f"episode_{item['id']}",
                drawn.say(f"Open {title}", f"Tap on {title}", f"Go to {title}"),
                page("EpisodePage"),
            ),
            tap(
                "star_episode",
                drawn.say("Tap the star", "Give it a star", "Press the star beside Download"),
                snack("Episode starred"),
            ),
            done(),
        ),
        data(lambda d: item["id"] in d["starred"]),
        slots=(drawn.slot(goal, "title", title, 0, WHICH),),
        key=len(way) + 1,
    )


def _held(drawn: WordingSampler, title: str, number: int) -> Move:
    says = (f"Press and hold {title}", f"Long press on {title}", f"Hold {title} until its menu opens")
    return hold(f"episode_{number}", drawn.say(*says), layer("EpisodeMenu"))


def enqueue(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An episode to the end of Up next. Slot `title`; None when its row cannot be reached."""
    drawn = WordingSampler(chance)
    item = chance.choice([e for e in latest(view) if e["id"] not in view.data["queue"]])
    way = to_episode(view, chance, item)
    if way is None:
        return None
    title = item["title"]
    goal = drawn.goal(
        f"Add [title|{title}|an episode] to Up next",
        f"Put [title|“{title}”|one of the episodes] in line after the others",
        f"After this I'd like to hear [title|{title}|something else], add it to what comes next",
        f"Please queue [title|the episode {title}|another episode]",
    )
    return GoalPlan(
        goal.full,
        (
            *way,
            _held(drawn, title, item["id"]),
            tap(
                "menu_up_next",
                drawn.say("Choose Add to Up next", "Tap Add to Up next", "Pick the first entry"),
                snack("Added"),
            ),
            done(),
        ),
        data(lambda d: d["queue"][-1] == item["id"]),
        slots=(drawn.slot(goal, "title", title, 0, WHICH),),
        key=len(way) + 1,
    )


def played(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An episode marked as played. Slot `title`; None when its row cannot be reached."""
    drawn = WordingSampler(chance)
    item = chance.choice([e for e in latest(view) if e["id"] not in view.data["played"]])
    way = to_episode(view, chance, item)
    if way is None:
        return None
    title = item["title"]
    goal = drawn.goal(
        f"Mark [title|{title}|an episode] as played",
        f"I heard [title|“{title}”|one of these] in the car already, mark it as played",
        f"Set [title|the episode {title}|one of the episodes] to played",
        f"Please tick [title|{title}|an episode] off, I know it",
    )
    return GoalPlan(
        goal.full,
        (
            *way,
            _held(drawn, title, item["id"]),
            tap(
                "menu_played",
                drawn.say("Choose Mark as played", "Tap Mark as played", "Take the entry with the tick"),
                snack("Marked"),
            ),
            done(),
        ),
        data(lambda d: item["id"] in d["played"]),
        slots=(drawn.slot(goal, "title", title, 0, WHICH),),
        key=len(way) + 1,
    )


def _up_next(drawn: WordingSampler) -> Move:
    return tap(
        "up_next", drawn.say("Open Up next", "Tap the list icon with the number", "Go to Up next"), page("UpNextPage")
    )


def dequeue(view: PhoneView, chance: Chance) -> GoalPlan:
    """An episode out of Up next. Slot `title`."""
    drawn = WordingSampler(chance)
    item = episode(view, chance.choice(view.data["queue"]))
    title = item["title"]
    goal = drawn.goal(
        f"Take [title|{title}|an episode] out of Up next",
        f"I'm not in the mood for [title|{title}|one of the coming episodes], remove it from the queue",
        f"Drop [title|“{title}”|one episode] from what comes next",
        f"Please remove [title|the episode {title}|one of them] from Up next",
    )
    return GoalPlan(
        goal.full,
        (
            _up_next(drawn),
            swipe(
                f"next_{item['id']}",
                "left",
                drawn.say(
                    f"Swipe {title} to the left", f"Swipe {title} away", f"Push the row of {title} out to the left"
                ),
                snack("Removed"),
            ),
            done(),
        ),
        data(lambda d: item["id"] not in d["queue"]),
        slots=(drawn.slot(goal, "title", title, 1, WHICH),),
    )


def first_in_line(view: PhoneView, chance: Chance) -> GoalPlan:
    """A later episode to the top of Up next. Slot `title`."""
    drawn = WordingSampler(chance)
    item = episode(view, chance.choice(view.data["queue"][1:]))
    title = item["title"]
    goal = drawn.goal(
        f"Move [title|{title}|one episode] to the top of Up next",
        f"Let [title|“{title}”|another one] come first in the queue",
        f"Play [title|{title}|one of the others] right after this one, it is in Up next already",
        f"I'd rather hear [title|{title}|another episode] next, move it up to the first place",
    )
    return GoalPlan(
        goal.full,
        (
            _up_next(drawn),
            tap(
                f"to_top_{item['id']}",
                drawn.say(
                    f"Move {title} to the top", f"Tap the arrow beside {title}", f"Press the up arrow of {title}"
                ),
                data(lambda d: d["queue"][0] == item["id"]),
            ),
            done(),
        ),
        data(lambda d: d["queue"][0] == item["id"]),
        slots=(drawn.slot(goal, "title", title, 1, WHICH),),
    )


def clear_queue(view: PhoneView, chance: Chance) -> GoalPlan:
    """Nothing left in Up next."""
    drawn = WordingSampler(chance)
    goal = drawn.goal(
        "Empty Up next",
        "Clear everything that comes next, this episode may go on",
        "Please throw all episodes out of the podcast queue",
        "I want nothing to play after this one, clear the list",
    )
    return GoalPlan(
        goal.full,
        (
            _up_next(drawn),
            tap(
                "clear_up_next",
                drawn.say("Tap the bin", "Tap Clear all", "Press the bin at the top"),
                layer("ClearUpNext"),
            ),
            tap(
                "button_ok", drawn.say("Confirm with Clear", "Tap Clear", "Agree to it"), data(lambda d: not d["queue"])
            ),
            done(),
        ),
        data(lambda d: not d["queue"]),
    )


def _saved_tab(drawn: WordingSampler) -> Move:
    return tap("tab_saved", drawn.say("Go to the Saved tab", "Open Saved", "Tap Saved at the top"), page("SavedPage"))


def _delete_goals(title: str) -> tuple[str, ...]:
    return (
        f"Delete the download [title|of {title}|]",
        f"I need space, remove the downloaded [title|“{title}”|episode] from the phone",
        f"Please delete [title|{title}|one of the episodes] from the saved episodes",
        f"Get rid of the saved copy[title| of {title}]",
    )


def delete(view: PhoneView, chance: Chance) -> GoalPlan:
    """A download deleted. Slot `title`."""
    drawn = WordingSampler(chance)
    item = episode(view, chance.choice(view.data["downloaded"]))
    title = item["title"]
    goal = drawn.goal(*_delete_goals(title))
    return GoalPlan(
        goal.full,
        (
            _saved_tab(drawn),
            tap(
                f"delete_{item['id']}",
                drawn.say(f"Tap the bin of {title}", f"Delete {title}", f"Press the bin beside {title}"),
                layer("DeleteDownload"),
            ),
            tap("button_ok", drawn.say("Confirm with Delete", "Tap Delete", "Confirm it"), snack("Download deleted")),
            done(),
        ),
        data(lambda d: item["id"] not in d["downloaded"]),
        slots=(drawn.slot(goal, "title", title, 1, ("Which download should go?", *WHICH)),),
        key=1,
    )


def delete_missing(view: PhoneView, chance: Chance) -> GoalPlan:
    """There is nothing to delete before it was downloaded."""
    drawn = WordingSampler(chance)
    item = chance.choice([e for e in latest(view) if e["id"] not in view.data["downloaded"]])
    title = item["title"]
    return GoalPlan(
        drawn.goal(*_delete_goals(title)).full,
        (
            _saved_tab(drawn),
            *also_under_latest(drawn, chance),
            give_up(drawn.say(f"{title} is not on the phone", "It is not among the saved episodes")),
        ),
        data(lambda d: item["id"] not in d["downloaded"]),
        reason=InfeasibilityReason.PREMATURE,
        follow_up=drawn.say(
            f"“{title}” was never downloaded. Did you mean another episode?",
            f"There is no download of {title} to delete. Which one should go?",
        ),
    )


TEMPLATES = tuple(
    Template(name, "podcasts", plan)
    for name, plan in (
        ("podcasts-download", download),
        ("podcasts-star", star),
        ("podcasts-enqueue", enqueue),
        ("podcasts-played", played),
        ("podcasts-dequeue", dequeue),
        ("podcasts-first-in-line", first_in_line),
        ("podcasts-clear-queue", clear_queue),
        ("podcasts-delete", delete),
        ("podcasts-delete-missing", delete_missing),
    )
)
