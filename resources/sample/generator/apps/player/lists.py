"""Playlists, albums and artists: play, make, rename, delete."""

from __future__ import annotations

import math
from typing import Any

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Finder,
    Move,
    PhoneView,
    Then,
    back,
    by_words,
    data,
    done,
    give_up,
    hold,
    layer,
    page,
    scroll,
    shows,
    snack,
    tap,
    write,
)

KNOWN = (
    "Morning run", "Slow Sunday", "Focus", "Kitchen dance", "Rainy train", "Late drive", "Piano only", "Party 2020s",
    "Garden work", "Guitar evening",
)  # fmt: skip
NEW = ("Balcony evenings", "Long walks", "Cooking", "Songs for Mila", "Winter", "Bus rides", "Sunday cake", "New finds")
_WHICH = ("Which playlist do you mean?", "Which of your five playlists?", "What is the playlist called?")
_HEAD, _ROW, _SEEN = 390, 64, 640
"""Heights on a playlist's page in CSS pixels: what stands above the songs, a song, what is seen at once."""
_SCREEN = 915


def library(draw: WordingSampler) -> Move:
    """To the tab with playlists, albums and artists."""
    return tap("nav_library", draw.say("Go to the Library", "Tap Library", "Open the Library"), page("LibraryPage"))


def search(draw: WordingSampler) -> Move:
    """To the search."""
    return tap("nav_search", draw.say("Open Search", "Tap Search", "Go to the search"), page("SearchPage"))


def _others(view: PhoneView) -> list[dict[str, Any]]:
    """Playlists without the song that plays: starting what plays already would change nothing on the screen."""
    on = view.data["current"] if view.data["playing"] else None
    return [p for p in view.data["playlists"] if on not in p["songs"]]


def _play(draw: WordingSampler, then: Then) -> Move:
    return tap("play_all", draw.say("Press Play", "Tap Play", "Play all of it"), then)


def _open(draw: WordingSampler, chosen: dict[str, Any]) -> Move:
    says = (f"Open {chosen['name']}", f"Tap {chosen['name']}", f"Open the playlist {chosen['name']}")
    return tap(f"playlist_{chosen['id']}", draw.say(*says), page("PlaylistPage"))


def _hold(draw: WordingSampler, chosen: dict[str, Any]) -> Move:
    says = (f"Press and hold {chosen['name']}", f"Long press {chosen['name']}", "Keep a finger on the playlist")
    return hold(f"playlist_{chosen['id']}", draw.say(*says), layer("PlaylistMenu"))


def _play_words(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Play my playlist[which| {name}]",
        f"I am in the mood for[which| {name}| one of my playlists], play it",
        f"Could you start the playlist[which| {name}], please?",
        f"Put on[which| {name}| a playlist of mine]",
        f"Playlist[which| {name}], go",
    )


def play_playlist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A playlist played from its beginning. Slot `which`; None when the current song is in all of them."""
    if not (others := _others(view)):
        return None
    draw, chosen = WordingSampler(chance), chance.choice(others)
    words, first = _play_words(draw, chosen["name"]), chosen["songs"][0]
    playing = data(lambda d: d["current"] == first and d["playing"])
    moves, key = [library(draw)], None
    if chance.random() < 0.5:
        moves += [_open(draw, chosen), _play(draw, playing)]
        key = 2
    else:
        moves += [_hold(draw, chosen), tap("menu_play", draw.say("Choose Play", "Tap Play in the menu"), playing)]
    slot = draw.slot(words, "which", chosen["name"], 1, _WHICH)
    return GoalPlan(words.full, (*moves, done()), playing, (slot,), key)


def shuffle_playlist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A playlist in mixed order. Slot `which`; None when the current song is in all of them."""
    if not (others := _others(view)):
        return None
    draw, chosen = WordingSampler(chance), chance.choice(others)
    name, songs = chosen["name"], chosen["songs"]
    words = draw.goal(
        f"Shuffle the playlist[which| {name}]",
        f"Play[which| {name}| a playlist] in mixed order",
        f"I know[which| {name}| the playlist] by heart, shuffle it this time",
        f"Would you play[which| {name}| one of the playlists] at random?",
    )
    shuffled = data(lambda d: d["shuffle"] and d["playing"] and d["current"] in songs)
    press = tap("shuffle_all", draw.say("Press Shuffle", "Tap Shuffle"), shuffled)
    slot = draw.slot(words, "which", name, 1, _WHICH)
    return GoalPlan(words.full, (library(draw), _open(draw, chosen), press, done()), shuffled, (slot,), key=2)


def play_last(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A playlist's last song, scrolled to. Slot `which`; None when the current song is in all of them."""
    if not (others := _others(view)):
        return None
    draw, chosen = WordingSampler(chance), chance.choice(others)
    name, songs = chosen["name"], chosen["songs"]
    words = draw.goal(
        f"Play the last song of[which| {name}| the playlist]",
        f"Which song comes last in[which| {name}| the playlist]? Play it",
        f"Start with the last song in my playlist[which| {name}]",
        f"At the end of[which| {name}| a playlist] there is a song I like, play that one",
    )
    way = _HEAD + _ROW * len(songs) - _SEEN
    number = max(1, math.ceil(way / (0.5 * _SCREEN)))
    says = ("Scroll down", "Scroll to the end of the playlist", "Scroll on through the songs")
    last = f"song_{songs[-1]}"
    moves = [library(draw), _open(draw, chosen)]
    moves += [scroll("song_list", draw.say(*says), share=0.45) for _ in range(number - 1)]
    moves.append(scroll("song_list", draw.say(*says), shows(last), share=0.5))
    playing = data(lambda d: d["current"] == songs[-1] and d["playing"])
    moves += [tap(last, draw.say("Tap the last song", "Play the song at the end"), playing), done()]
    slot = draw.slot(words, "which", name, 1, _WHICH)
    return GoalPlan(words.full, tuple(moves), playing, (slot,))


def new_playlist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An empty playlist. Slot `name`."""
    draw, name = WordingSampler(chance), chance.choice(NEW)
    words = draw.goal(
        f"Make an empty playlist[name| called {name}| with a name of its own]",
        f"New playlist[name|, name: {name}], please",
        f"I want to collect songs, create a playlist[name| and call it {name}]",
        f"Create[name| {name} as a| another] playlist",
    )
    moves = (
        library(draw),
        tap("create_playlist", draw.say("Press the plus", "Tap New playlist", "Add a playlist"), layer("NewPlaylist")),
        write(name, draw.say(f"Type {name}", "Type the name", f"Enter {name}")),
        tap("button_ok", draw.say("Press Create", "Tap Create"), snack("Playlist")),
        done(),
    )
    slot = draw.slot(words, "name", name, 2, ("What should the playlist be called?", "Which name shall it get?"))
    return GoalPlan(words.full, moves, data(lambda d: d["playlists"][-1]["name"] == name), (slot,), key=1)


def rename_playlist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another name for a playlist. Slots `which`, `name`."""
    draw, chosen, name = WordingSampler(chance), chance.choice(view.data["playlists"]), chance.choice(NEW)
    old, number = chosen["name"], chosen["id"]
    words = draw.goal(
        f"Rename[which| {old}| a playlist][name| to {name}]",
        f"Please call my playlist[which| {old}][name| {name}| something else] from now on",
        f"The playlist[which| {old}] needs a better name[name|: {name}]",
        f"Give[which| {old}| one of the playlists] the name[name| {name}| I like]",
    )
    moves = (
        library(draw),
        _hold(draw, chosen),
        tap("menu_rename", draw.say("Choose Rename", "Tap Rename"), layer("RenamePlaylist")),
        write(name, draw.say(f"Replace the name with {name}", f"Type {name}", "Type the new name"), replace=True),
        tap("button_ok", draw.say("Press Rename", "Confirm with Rename"), layer(None)),
        done(),
    )
    slots = (
        draw.slot(words, "which", old, 1, _WHICH),
        draw.slot(words, "name", name, 3, (f"What should {old} be called?", "What is the new name?")),
    )
    renamed = data(lambda d: any(p["id"] == number and p["name"] == name for p in d["playlists"]))
    return GoalPlan(words.full, moves, renamed, slots, key=2)


def _delete_words(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Delete the playlist[which| {name}]",
        f"I never listen to[which| {name}| that playlist] any more, delete it",
        f"Get rid of my[which| {name}] playlist",
        f"Could you remove[which| {name}| one playlist] from the library?",
    )


def delete_playlist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A playlist deleted, by its menu. Slot `which`."""
    draw, chosen = WordingSampler(chance), chance.choice(view.data["playlists"])
    words, number = _delete_words(draw, chosen["name"]), chosen["id"]
    moves = (
        library(draw),
        _hold(draw, chosen),
        tap("menu_delete", draw.say("Choose Delete", "Tap Delete"), layer("DeletePlaylist")),
        tap("button_ok", draw.say("Confirm with Delete", "Press Delete"), snack("Playlist deleted")),
        done(),
    )
    slot = draw.slot(words, "which", chosen["name"], 1, _WHICH)
    gone = data(lambda d: all(p["id"] != number for p in d["playlists"]))
    return GoalPlan(words.full, moves, gone, (slot,), key=2)


def missing_playlist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: no playlist has the name."""
    there = [p["name"] for p in view.data["playlists"]]
    draw, name = WordingSampler(chance), chance.choice([known for known in KNOWN if known not in there])
    words = draw.say(_play_words(draw, name).full, _delete_words(draw, name).full)
    moves = [library(draw)]
    if chance.random() < 0.5:
        says = ("See if it is an album instead", "Look at the albums", "Tap Albums")
        moves.append(tap("tab_albums", draw.say(*says), data(lambda d: d["tab"] == "albums")))
    end = draw.say(f"There is no playlist {name}", f"None of the playlists is called {name}", "It was never made")
    ask = draw.say(
        f"You have no playlist called {name}. Did you mean {chance.choice(there)}?",
        f"I cannot find {name}. Shall I make a playlist with this name first?",
        f"There is no {name} among your playlists. Which other one shall I take?",
    )
    result = data(lambda d: all(p["name"] != name for p in d["playlists"]))
    return GoalPlan(words, (*moves, give_up(end)), result, reason=InfeasibilityReason.PREMATURE, follow_up=ask)


def _may_play(view: PhoneView, card: str) -> bool:
    """The current song may be the first of this card's album: albums in a row, of four or five songs each."""
    before = int(card.rsplit("_", 1)[1]) - 1
    return bool(4 * before <= view.data["current"] - 1 <= 5 * before)


def play_album(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An album whose card is on the first page. Slot `album`; None when there is none but the current one."""
    edge = view.tree.size.width * 0.97
    cards = [
        e for e in view.tree if e.short_id.startswith(("album_", "quick_album_")) and e.clickable and e.box.right < edge
    ]
    cards = [card for card in cards if not view.data["playing"] or not _may_play(view, card.short_id)]
    if not cards:
        return None
    draw, card = WordingSampler(chance), chance.choice(cards)
    name = card.content_description
    words = draw.goal(
        f"Play the album[album| {name}]",
        f"I would like to hear[album| {name}| an album] from start to end",
        f"Put on the album[album| {name}| on the front page], please",
        f"Start[album| {name}| the album] from the first song",
    )
    playing = data(lambda d: d["playing"] and d["position"] < 10)
    moves = (
        tap(card.short_id, draw.say(f"Open {name}", f"Tap {name}", f"Open the album {name}"), page("AlbumPage")),
        _play(draw, playing),
        done(),
    )
    slot = draw.slot(words, "album", name, 0, ("Which album?", "Which album would you like to hear?"))
    return GoalPlan(words.full, moves, playing, (slot,), key=1)


def _now_by(name: str) -> Finder:
    """Finds the artist of the current song when it is `name`."""
    return lambda tree: next((e for e in tree if e.short_id == "mini_artist" and e.text == name), None)


def play_artist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A song by an artist who was heard lately. Slot `artist`; None when only the current one was."""
    names = [name for name in view.data["recent"] if not shows(_now_by(name))(view)]
    if not names:
        return None
    draw, name = WordingSampler(chance), chance.choice(names)
    words = draw.goal(
        f"Play something[artist| by {name}| by the artist I like]",
        f"I want to hear[artist| {name}| that artist again]",
        f"Music[artist| of {name}| by one artist only], please",
        f"Find the artist[artist| {name}] and play all the songs",
    )
    playing = data(lambda d: d["playing"] and d["position"] < 10)
    says = (f"Tap {name}", f"Open {name}", f"Choose the artist {name}")
    moves = (
        search(draw),
        tap(by_words(name, "artist_"), draw.say(*says), page("ArtistPage")),
        _play(draw, playing),
        done(),
    )
    slot = draw.slot(words, "artist", name, 1, ("Which artist?", "Whose music would you like to hear?"))
    return GoalPlan(words.full, moves, playing, (slot,), key=2)


def search_artist(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An artist searched for in the library. Slot `artist`."""
    draw, name = WordingSampler(chance), chance.choice(view.data["recent"])
    part = chance.choice((name, name.lower(), name.split()[-1]))
    words = draw.goal(
        f"Search the library[artist| for {name}| for an artist]",
        f"What songs[artist| by {name}| by that artist] do I have? Use the search",
        f"Look[artist| {name}| somebody] up in the search",
        f"Type[artist| {name}| the name of the artist] into the search and show me what comes",
    )
    moves = (
        search(draw),
        tap("search_input", draw.say("Tap the search field", "Tap the field"), lambda v: v.state["keyboard"]),
        write(part, draw.say(f"Type {part}", f"Write {part}")),
        back(draw.say("Put the keyboard away", "Close the keyboard"), lambda v: not v.state["keyboard"]),
        done(),
    )
    slot = draw.slot(words, "artist", name, 2, ("What shall I search for?", "Which artist do you mean?"))
    return GoalPlan(words.full, moves, data(lambda d: d["query"] == part), (slot,), key=0)
