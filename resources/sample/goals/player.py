"""Songs, playlists, sleep timer and equaliser of the music player."""

from __future__ import annotations

from stepscope.core.domain.elements import UIElement, UITree
from stepscope.resources.sample.script import (
    Script,
    back,
    data,
    done,
    hold,
    layer,
    page,
    scroll,
    shows,
    snack,
    swipe,
    tap,
    write,
)


def last_song(tree: UITree) -> UIElement:
    """The lowest song row on the screen."""
    return [e for e in tree if e.short_id.startswith("song_") and e.long_clickable][-1]


SCRIPTS = (
    Script(
        # Two songs of this name: only the artist tells them apart.
        id="player-quiet-morning",
        goal="Play Quiet Morning, the one by Isa Quill",
        app="player",
        seed=9,
        moves=(
            tap("nav_search", "Open Search", page("SearchPage")),
            tap("search_input", "Tap the search field"),
            write("Quiet Morning", "Type Quiet Morning", shows("song_24")),
            tap("song_24", "Tap the Quiet Morning of Isa Quill", data(lambda d: d["current"] == 24)),
            done(),
        ),
        result=data(lambda d: d["current"] == 24 and d["playing"]),
    ),
    Script(
        id="player-sleep-timer",
        goal="Let the music stop by itself in 15 minutes",
        app="player",
        seed=1,
        moves=(
            tap("mini_player", "Open what is playing now", page("NowPlayingPage")),
            tap("sleep_button", "Tap the moon", layer("SleepTimer")),
            tap("sleep_15", "Choose 15 minutes", snack("Music stops in 15")),
            done(),
        ),
        result=data(lambda d: d["sleep"] == 15),
    ),
    Script(
        id="player-skip-and-like",
        goal="Skip two songs and like the third",
        app="player",
        seed=4,
        moves=(
            tap("mini_player", "Open the song that is playing", page("NowPlayingPage")),
            swipe("cover_pager", "left", "Swipe the cover to the next song"),
            swipe("cover_pager", "left", "Swipe once more"),
            tap("like_button", "Tap the heart", snack("Added to liked songs")),
            done(),
        ),
        result=lambda view: view.data["current"] in view.data["liked"],
    ),
    Script(
        id="player-new-playlist",
        goal="Make an empty playlist called Balcony evenings",
        app="player",
        seed=6,
        moves=(
            tap("nav_library", "Go to the Library", page("LibraryPage")),
            tap("create_playlist", "Press the plus", layer("NewPlaylist")),
            write("Balcony evenings", "Type the name"),
            tap("button_ok", "Press Create", snack("Playlist")),
            done(),
        ),
        result=data(lambda d: d["playlists"][-1]["name"] == "Balcony evenings"),
    ),
    Script(
        id="player-focus-song",
        goal="Add Copper Mirrors to my Focus list",
        app="player",
        seed=7,
        moves=(
            tap("nav_library", "Go to the Library", page("LibraryPage")),
            tap("tab_songs", "Open the Songs tab", data(lambda d: d["tab"] == "songs")),
            hold("song_18", "Press and hold Copper Mirrors", layer("SongMenu")),
            tap("menu_playlist", "Choose Add to playlist", layer("AddToPlaylist")),
            tap("playlist_3", "Choose Focus", snack("Added to Focus")),
            done(),
        ),
        result=data(lambda d: 18 in next(p["songs"] for p in d["playlists"] if p["name"] == "Focus")),
    ),
    Script(
        id="player-jazz-sound",
        goal="Make it sound right for jazz",
        app="player",
        seed=9,
        moves=(
            tap("settings_button", "Open the settings", page("SettingsPage")),
            tap("equaliser_setting", "Open the Equaliser", page("EqualiserPage")),
            tap("preset_jazz", "Choose Jazz", data(lambda d: d["eq"]["preset"] == "Jazz")),
            back("Go back", page("SettingsPage")),
            done(),
        ),
        result=data(lambda d: d["eq"]["on"] and d["eq"]["preset"] == "Jazz"),
    ),
    Script(
        id="player-late-drive",
        goal="Play the last song of my Late drive playlist",
        app="player",
        seed=4,
        moves=(
            tap("nav_library", "Open the Library", page("LibraryPage")),
            tap("playlist_2", "Open Late drive", page("PlaylistPage")),
            scroll("song_list", "Scroll to the end of the playlist", share=0.5),
            tap(last_song, "Tap the last song"),
            done(),
        ),
        result=lambda view: view.data["current"] == view.data["playlists"][1]["songs"][-1],
    ),
)
