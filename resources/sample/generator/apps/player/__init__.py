"""What people want of the music player: playlists, the current song, the queue, the sound."""

from __future__ import annotations

from stepscope.resources.sample.generator.apps.player import lists, sound
from stepscope.resources.sample.generator.plan import AppGoals, Chance, Template
from stepscope.resources.sample.generator.wording import WordingSampler
from stepscope.resources.sample.script import Move, PhoneView, back, data, layer, page, tap


def _detours(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    home = tap("nav_home", draw.say("Go back to Home", "Tap Home"), page("HomePage"))
    return (
        (lists.library(draw), home),
        (lists.search(draw), home),
        (
            sound.now_playing(draw),
            tap("collapse", draw.say("Close it again", "Tap the arrow down"), page("HomePage")),
        ),
        (sound.settings(draw), back(draw.say("Go back", "Leave the settings"), page("HomePage"))),
        (
            tap("liked_songs", draw.say("Look at the liked songs", "Open Liked songs"), page("LikedPage")),
            back(draw.say("Go back", "Go back to Home"), page("HomePage")),
        ),
    )


def _searches(view: PhoneView, chance: Chance) -> tuple[tuple[Move, ...], ...]:
    draw = WordingSampler(chance)
    menu = tap("song_menu", draw.say("Open the menu of the song", "Tap More options"), layer("SongMenu"))
    field = tap("search_input", draw.say("Tap the search field", "Start to search"), lambda v: v.state["keyboard"])
    equaliser = tap("equaliser_setting", draw.say("Look into the equaliser", "Tap Equaliser"), page("EqualiserPage"))
    songs = tap("tab_songs", draw.say("Look at all songs", "Tap Songs"), data(lambda d: d["tab"] == "songs"))
    return (
        (sound.now_playing(draw), menu),
        (lists.search(draw), field),
        (sound.settings(draw), equaliser),
        (lists.library(draw), songs),
        (lists.search(draw), lists.library(draw)),
    )


_TEMPLATES = (
    lists.play_playlist,
    lists.shuffle_playlist,
    lists.play_last,
    lists.new_playlist,
    lists.rename_playlist,
    lists.delete_playlist,
    lists.missing_playlist,
    lists.play_album,
    lists.play_artist,
    lists.search_artist,
    sound.sleep_timer,
    sound.sleep_and_wake,
    sound.no_sleep_timer,
    sound.sound_preset,
    sound.repeat_mode,
    sound.shuffle,
    sound.skip_and_like,
    sound.keep_song,
    sound.clear_queue,
    sound.drop_from_queue,
    sound.play_or_pause,
    sound.pause_silence,
    sound.save_data,
)

GOALS = AppGoals(
    app="player",
    title="Player",
    category="audio",
    held_out=False,
    templates=tuple(Template(plan.__name__, "player", plan) for plan in _TEMPLATES),
    detours=_detours,
    searches=_searches,
)
