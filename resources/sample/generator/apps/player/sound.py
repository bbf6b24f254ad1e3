"""What is playing, the queue, the sleep timer and the sound."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.reach import element
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, data, done, give_up, layer, page, snack, swipe, tap

SLEEP = (5, 15, 30, 45, 60)
PRESETS = {"Rock": "rock", "Jazz": "jazz", "Flat": "a neutral sound"}
REPEATS = ("off", "all", "one")
_LATEST = 70
"""Seconds of a song after which it could end while a plan is performed; the shortest has 125."""


def now_playing(draw: WordingSampler) -> Move:
    """From the bar of the current song to its page."""
    says = ("Open the song that is on", "Tap the bar of the current song", "Open Now playing")
    return tap("mini_player", draw.say(*says), page("NowPlayingPage"))


def settings(draw: WordingSampler) -> Move:
    """From the first page to the settings."""
    return tap("settings_button", draw.say("Open the settings", "Tap Settings", "Tap the wheel"), page("SettingsPage"))


def _steady(view: PhoneView) -> bool:
    """The current song lasts longer than any plan."""
    return not view.data["playing"] or view.data["position"] < _LATEST


def _title(view: PhoneView) -> str:
    found = element(view.tree, "mini_title")
    return found.text if found else ""


def _sleep_sheet(draw: WordingSampler, from_song: bool) -> list[Move]:
    moon = tap("sleep_button", draw.say("Tap the moon", "Tap Sleep timer", "Open the sleep timer"), layer("SleepTimer"))
    return [now_playing(draw), moon] if from_song else [moon]


def sleep_timer(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Music that stops by itself. Slot `minutes`."""
    draw, minutes = WordingSampler(chance), chance.choice(SLEEP)
    words = draw.goal(
        f"Let the music stop by itself[minutes| in {minutes} minutes]",
        f"I am going to bed, sleep timer[minutes| {minutes} minutes], please",
        f"Set the sleep timer[minutes| to {minutes} minutes]",
        f"Only[minutes| {minutes} minutes| a few minutes] of music more, then it should switch off",
    )
    moves = _sleep_sheet(draw, chance.random() < 0.5)
    step = len(moves)
    says = (f"Choose {minutes} minutes", f"Tap {minutes} minutes", f"Pick {minutes}")
    moves += [tap(f"sleep_{minutes}", draw.say(*says), snack(f"Music stops in {minutes}")), done()]
    questions = ("After how many minutes?", "When should the music stop?", "How long shall it go on?")
    slot = draw.slot(words, "minutes", f"{minutes} minutes", step, questions)
    return GoalPlan(words.full, tuple(moves), data(lambda d: d["sleep"] == minutes), (slot,), key=step - 1)


def sleep_and_wake(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The sleep timer set and switched off again. Slot `minutes`."""
    draw, minutes = WordingSampler(chance), chance.choice(SLEEP)
    words = draw.goal(
        f"Try the sleep timer[minutes| with {minutes} minutes], then switch it off again",
        f"Set the sleep timer[minutes| to {minutes} minutes] and cancel it, I want to see if it works",
        f"Start a sleep timer[minutes| of {minutes} minutes] and stop it, please",
        f"Sleep timer[minutes| of {minutes} minutes] on and off again",
    )
    opened = _sleep_sheet(draw, from_song=False)
    says = (f"Choose {minutes} minutes", f"Tap {minutes} minutes")
    off = tap("sleep_off", draw.say("Choose Off", "Tap Off", "Take the last entry"), snack("Sleep timer off"))
    moves = (
        *opened,
        tap(f"sleep_{minutes}", draw.say(*says), data(lambda d: d["sleep"] == minutes)),
        *_sleep_sheet(draw, from_song=False),
        off,
        done(),
    )
    slot = draw.slot(words, "minutes", f"{minutes} minutes", 1, ("With how many minutes?", "How long a timer?"))
    return GoalPlan(words.full, moves, data(lambda d: d["sleep"] is None), (slot,), key=0)


def no_sleep_timer(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no sleep timer was set."""
    draw, minutes = WordingSampler(chance), chance.choice(SLEEP)
    words = draw.goal(
        "Switch the sleep timer off again",
        f"Give the sleep timer {minutes} minutes more",
        "I am still awake, cancel the sleep timer please",
        "How much of the sleep timer is left? Stop it, please",
        "Sleep timer off",
    )
    moves = _sleep_sheet(draw, chance.random() < 0.5)
    moves.append(back(draw.say("Close the list, nothing is chosen", "Go back"), layer(None)))
    end = draw.say("No sleep timer is set", "The sleep timer is off", "There is no sleep timer yet")
    ask = draw.say(
        "The sleep timer is not running. Shall I set one?",
        "No sleep timer is set. After how many minutes should the music stop?",
        "There is no sleep timer at the moment. Would you like one of 15 minutes?",
    )
    result = data(lambda d: d["sleep"] is None)
    return GoalPlan(words.full, (*moves, give_up(end)), result, reason=InfeasibilityReason.PREMATURE, follow_up=ask)


def sound_preset(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the equaliser's presets. Slot `preset`."""
    draw, (name, kind) = WordingSampler(chance), chance.choice(list(PRESETS.items()))
    words = draw.goal(
        f"Set the equaliser[preset| to {name}| to one of its presets]",
        f"Make it sound right[preset| for {kind}| for my kind of music]",
        f"The sound is dull, choose[preset| {name}| a preset] in the equaliser",
        f"Equaliser:[preset| {name}| another preset], please",
    )
    if chance.random() < 0.5:
        moves = [settings(draw)]
        says = ("Open the Equaliser", "Tap Equaliser", "Open the first entry")
        moves.append(tap("equaliser_setting", draw.say(*says), page("EqualiserPage")))
    else:
        moves = [now_playing(draw)]
        says = ("Open the Equaliser", "Tap Equaliser", "Tap the sliders")
        moves.append(tap("equaliser_button", draw.say(*says), page("EqualiserPage")))
    chosen = data(lambda d: d["eq"]["preset"] == name)
    moves += [tap(f"preset_{name.lower()}", draw.say(f"Choose {name}", f"Tap {name}"), chosen), done()]
    slot = draw.slot(words, "preset", name, 2, ("Which preset would you like?", "Rock, jazz or flat?"))
    return GoalPlan(words.full, tuple(moves), chosen, (slot,), key=1)


def repeat_mode(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another way to repeat, by one or two taps. Slot `mode`."""
    draw, now = WordingSampler(chance), REPEATS.index(view.data["repeat"])
    more = chance.randint(1, 2)
    mode = REPEATS[(now + more) % 3]
    text = {"off": "repeat nothing", "all": "repeat all songs", "one": "repeat this one song"}[mode]
    short = {"off": "off", "all": "all songs", "one": "one song"}[mode]
    words = draw.goal(
        f"From now on[mode| {text}| repeat it in another way]",
        f"Set repeat[mode| to {short}| differently]",
        f"I want the player to[mode| {text}| change how it repeats]",
        f"Repeat[mode|: {short}], please",
    )
    says = ("Tap Repeat", "Press the arrows for repeating", "Tap the repeat button")
    taps = [tap("repeat", draw.say(*says), snack("Repeat")) for _ in range(more)]
    result = data(lambda d: d["repeat"] == mode)
    questions = ("Repeat all songs, one song, or none?", "What should be repeated?")
    slot = draw.slot(words, "mode", short, 1, questions)
    return GoalPlan(words.full, (now_playing(draw), *taps, done()), result, (slot,), key=1)


def shuffle(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The mixed order on or off."""
    draw, on = WordingSampler(chance), view.data["shuffle"]
    to = "off" if on else "on"
    words = draw.goal(
        f"Switch shuffle {to}",
        f"Turn {to} the mixed order of songs",
        f"Shuffle {to}, please",
        "Play the songs in their order again" if on else "Mix up the songs that come next",
    )
    flipped = data(lambda d: d["shuffle"] is not on)
    press = tap("shuffle", draw.say("Tap Shuffle", "Press the crossed arrows"), flipped)
    return GoalPlan(words.full, (now_playing(draw), press, done()), flipped, key=1)


def skip_and_like(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One or two songs on, and a heart for what comes. Slot `skips`; None when the song may end before, or has its
    heart."""
    draw, skips = WordingSampler(chance), chance.randint(1, 2)
    song = view.data["queue"][skips - 1]
    if not _steady(view) or song in view.data["liked"]:
        return None
    many = ("one song", "two songs")[skips - 1]
    words = draw.goal(
        f"Skip [skips|{many}|ahead] and like what comes then",
        f"Go [skips|{many}|some songs] further and give that one a heart",
        f"Not this song. Skip [skips|{many}|on], then like the song that plays",
        f"Forward by [skips|{many}|some songs], and add that song to the liked ones",
    )
    if chance.random() < 0.5:
        says = ("Swipe the cover to the next song", "Swipe the cover to the left")
        moves = [swipe("cover_pager", "left", draw.say(*says)) for _ in range(skips)]
    else:
        moves = [tap("next", draw.say("Tap Next", "Skip this song")) for _ in range(skips)]
    liked = data(lambda d: song in d["liked"])
    heart = tap("like_button", draw.say("Tap the heart", "Tap Like", "Like the song"), liked)
    slot = draw.slot(words, "skips", many, 1, ("How many songs shall I skip?", "How many songs ahead?"))
    return GoalPlan(words.full, (now_playing(draw), *moves, heart, done()), liked, (slot,), key=skips + 1)


def keep_song(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The current song into a playlist. Slot `which`; None when it may end before, or all playlists have it."""
    song, title = view.data["current"], _title(view)
    lists = [p for p in view.data["playlists"] if song not in p["songs"]]
    if not _steady(view) or not lists or not title:
        return None
    draw, chosen = WordingSampler(chance), chance.choice(lists)
    name, number = chosen["name"], chosen["id"]
    words = draw.goal(
        f"Add this song to[which| {name}| a playlist]",
        f"{title} belongs into my playlist[which| {name}], put it there",
        f"I like what is on now, keep it in[which| {name}| one of my playlists]",
        f"Put the current song on the list[which| {name}]",
    )
    kept = data(lambda d: any(p["id"] == number and song in p["songs"] for p in d["playlists"]))
    moves = (
        now_playing(draw),
        tap("add_to_playlist", draw.say("Tap Add to playlist", "Tap the plus below the song"), layer("AddToPlaylist")),
        tap(f"playlist_{number}", draw.say(f"Choose {name}", f"Tap {name}"), kept),
        done(),
    )
    slot = draw.slot(words, "which", name, 2, ("To which playlist?", "Which of your playlists do you mean?"))
    return GoalPlan(words.full, moves, kept, (slot,), key=1)


def clear_queue(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Nothing left in the queue. None when the current song may end before."""
    if not _steady(view):
        return None
    draw = WordingSampler(chance)
    words = draw.goal(
        "Clear the queue",
        "After this song there should be silence, empty the queue",
        "Remove all songs that come next",
        "Could you throw out everything that waits in the queue?",
    )
    empty = data(lambda d: not d["queue"])
    moves = (
        now_playing(draw),
        tap("queue_button", draw.say("Open the queue", "Tap Queue", "See what comes next"), page("QueuePage")),
        tap("clear_queue", draw.say("Tap Clear queue", "Tap the bin"), layer("ClearQueue")),
        tap("button_ok", draw.say("Confirm with Clear", "Press Clear"), empty),
        done(),
    )
    return GoalPlan(words.full, moves, empty, key=2)


def drop_from_queue(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """One of the next three songs out of the queue. Slot `which`; None when the current song may end before."""
    if not _steady(view):
        return None
    draw, at = WordingSampler(chance), chance.randint(0, 2)
    song, which = view.data["queue"][at], ("first", "second", "third")[at]
    words = draw.goal(
        f"Take the[which| {which}] song out of the queue",
        f"Remove the[which| {which}] song that waits in the queue",
        f"I don't want to hear the[which| {which}| one] song that comes up next, drop it from the queue",
        f"The[which| {which}] one under Up next can go, please remove it from the queue",
    )
    gone = data(lambda d: song not in d["queue"])
    if chance.random() < 0.5:
        move = swipe(f"queue_{song}", "left", draw.say(f"Swipe the {which} song away", "Swipe it to the left"), gone)
    else:
        move = tap(f"remove_{song}", draw.say(f"Tap Remove at the {which} song", "Tap its cross"), gone)
    queue = tap("queue_button", draw.say("Open the queue", "Tap Queue", "See what comes next"), page("QueuePage"))
    questions = ("Which song of the queue?", "The first, the second or the third one?")
    slot = draw.slot(words, "which", which, 2, questions, (f"The {which} one.", f"The {which}, please."))
    return GoalPlan(words.full, (now_playing(draw), queue, move, done()), gone, (slot,), key=1)


def play_or_pause(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The music paused, or played on. None when the current song may end before."""
    draw, on = WordingSampler(chance), view.data["playing"]
    if not _steady(view):
        return None
    words = (
        draw.goal(
            "Pause the music", "Stop the song for a moment", "Hold the music, the phone rings", "Quiet, please: pause"
        )
        if on
        else draw.goal(
            "Go on with the music", "Play the song that was on", "Let the music play again", "Music, please: play"
        )
    )
    turned = data(lambda d: d["playing"] is not on)
    if chance.random() < 0.5:
        says = ("Tap Pause", "Press Pause at the bottom") if on else ("Tap Play", "Press Play at the bottom")
        return GoalPlan(words.full, (tap("mini_play", draw.say(*says), turned), done()), turned, key=0)
    says = ("Press Pause", "Tap the round button") if on else ("Press Play", "Tap the round button")
    moves = (now_playing(draw), tap("play_pause", draw.say(*says), turned), done())
    return GoalPlan(words.full, moves, turned, key=1)


def pause_silence(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: nothing is playing. None when something is."""
    if view.data["playing"]:
        return None
    draw = WordingSampler(chance)
    words = draw.goal(
        "Pause the music",
        "Stop the song for a moment",
        "The music is on, make it stop",
        "Hold the music, I have a visitor",
        "Quiet, please: pause",
    )
    moves: list[Move] = [now_playing(draw)]
    end = draw.say("No music is playing", "The song is paused already", "Nothing plays at the moment")
    ask = draw.say(
        "The music is paused already. Shall I play it?",
        "No music is playing. Do you mean another app?",
        "Nothing is playing here. Would you like to hear something?",
    )
    result = data(lambda d: not d["playing"])
    return GoalPlan(words.full, (*moves, give_up(end)), result, reason=InfeasibilityReason.PREMATURE, follow_up=ask)


def save_data(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Saving of data on or off, in the settings."""
    draw, on = WordingSampler(chance), view.data["data"]
    to = "off" if on else "on"
    words = draw.goal(
        f"Switch {to} saving data in the player",
        f"Turn Save data {to}",
        "Use the full quality on mobile networks too" if on else "Use less data when I listen on the way",
        f"Please set Save data to {to}, my contract has changed",
    )
    flipped = data(lambda d: d["data"] is not on)
    flip = tap("data_saver", draw.say("Flip Save data", "Tap Save data", "Tap the last switch"), flipped)
    return GoalPlan(words.full, (settings(draw), flip, done()), flipped, key=1)
