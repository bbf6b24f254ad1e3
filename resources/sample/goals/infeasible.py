"""Goals that cannot be reached: impossible, unclear, or asked for too early. Each ends after an honest attempt."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.script import Script, back, data, give_up, layer, page, scroll, shows, tap, write

IMPOSSIBLE, UNCLEAR, PREMATURE = (
    InfeasibilityReason.IMPOSSIBLE,
    InfeasibilityReason.UNCLEAR,
    InfeasibilityReason.PREMATURE,
)

SCRIPTS = (
    Script(
        id="cannot-video-call",
        goal="Start a video call with Anouk",
        app="messages",
        seed=1,
        moves=(
            tap("conversation_5", "Open the conversation with Anouk Elderfen", page("ThreadPage")),
            tap("call_button", "Tap the telephone", layer("CallDialog")),
            tap("button_ok", "Close the notice with OK", layer(None)),
            tap("menu_overflow", "Look in the menu", layer("Menu")),
            give_up("There is no way to call anybody from here"),
        ),
        result=shows("menu_details"),
        reason=IMPOSSIBLE,
        follow_up="Messages cannot make calls. Shall I ask Anouk in a message when you can talk?",
    ),
    Script(
        id="cannot-lyrics",
        goal="Show me the lyrics of this song",
        app="player",
        seed=2,
        moves=(
            tap("mini_player", "Open the song that is playing", page("NowPlayingPage")),
            tap("song_menu", "Open the menu of the song", layer("SongMenu")),
            back("Close the menu", layer(None)),
            scroll("now_playing", "Scroll down to look for the words", share=0.3),
            give_up("The player shows no lyrics"),
        ),
        result=page("NowPlayingPage"),
        reason=IMPOSSIBLE,
        follow_up="The player has no lyrics. Shall I open the album instead?",
    ),
    Script(
        id="cannot-vpn",
        goal="Turn on the VPN",
        app="settings",
        seed=6,
        moves=(
            tap("search_action_bar", "Search in the settings", page("SearchPage")),
            write("VPN", "Type VPN", shows("empty_view")),
            back("Put the keyboard away", lambda view: not view.state["keyboard"]),
            give_up("The settings know nothing of a VPN"),
        ),
        result=page("SearchPage"),
        reason=IMPOSSIBLE,
        follow_up="These settings have no VPN. Is there an app of your company that brings one?",
    ),
    Script(
        id="cannot-song-as-alarm",
        goal="Let my wake-up alarm play the Morning run playlist",
        app="clock",
        seed=5,
        moves=(
            tap("alarm_4", "Open the Wake up alarm", page("AlarmEditPage")),
            tap("alarm_sound", "Tap Sound", layer("SoundDialog")),
            back("Close the list, it has no playlists", layer(None)),
            give_up("An alarm can only use the built-in sounds"),
        ),
        result=page("AlarmEditPage"),
        reason=IMPOSSIBLE,
        follow_up="Only built-in sounds can be chosen. Would Morning birds do?",
    ),
    Script(
        id="unclear-the-usual",
        goal="Order the usual",
        app="shop",
        seed=4,
        moves=(
            tap("nav_account", "Look for earlier orders in Account", page("AccountPage")),
            tap("nav_favourites", "Look at what is saved", page("FavouritesPage")),
            give_up("Nothing tells what the usual is"),
        ),
        result=data(lambda d: not d["orders"]),
        reason=UNCLEAR,
        follow_up="I find no earlier orders. Which article do you usually buy?",
    ),
    Script(
        id="unclear-send-it",
        goal="Send it to her",
        app="messages",
        seed=2,
        moves=(
            tap("start_chat", "Start a chat", page("NewMessagePage")),
            back("Put the keyboard away", lambda view: not view.state["keyboard"]),
            scroll("contact_list", "Look through the contacts"),
            give_up("It is not said what to send, nor to whom"),
        ),
        result=page("NewMessagePage"),
        reason=UNCLEAR,
        follow_up="What shall I send, and to whom?",
    ),
    Script(
        id="unclear-notifications",
        goal="Fix the notifications",
        app="settings",
        seed=4,
        moves=(
            tap("notifications", "Open Notifications", page("NotificationsPage")),
            scroll("settings_list", "Look at the apps in the list"),
            give_up("It is not said what is wrong with them"),
        ),
        result=page("NotificationsPage"),
        reason=UNCLEAR,
        follow_up="Which app's notifications are wrong: do you get too many, or none?",
    ),
    Script(
        id="premature-checkout",
        goal="Pay for what is in my cart",
        app="shop",
        seed=7,
        moves=(
            tap("nav_cart", "Open the cart", page("CartPage")),
            tap("nav_favourites", "See whether something is saved instead", page("FavouritesPage")),
            give_up("The cart is empty, there is nothing to pay"),
        ),
        result=data(lambda d: not d["cart"]),
        reason=PREMATURE,
        follow_up="Your cart is empty. Shall I put the two saved articles into it first?",
    ),
    Script(
        id="premature-fingerprint",
        goal="Let me unlock the phone with my fingerprint",
        app="settings",
        seed=9,
        moves=(
            scroll("dashboard", "Scroll down", shows("security_privacy")),
            tap("security_privacy", "Open Security & privacy", page("SecurityPage")),
            give_up("Fingerprint unlock is greyed out until there is a screen lock"),
        ),
        result=data(lambda d: d["values"]["pin"] == "None"),
        reason=PREMATURE,
        follow_up="A screen lock must be set first. Would you like a PIN or a pattern?",
    ),
)
