"""Settings with several values, names and texts, networks, devices and apps."""

from __future__ import annotations

from stepscope.core.domain.episode import InfeasibilityReason
from stepscope.resources.sample.generator.apps.settings.ways import is_on, reached, slug
from stepscope.resources.sample.generator.plan import Chance, GoalPlan
from stepscope.resources.sample.generator.wording import Wording, WordingSampler
from stepscope.resources.sample.script import (
    Move,
    PhoneView,
    by_words,
    data,
    done,
    give_up,
    layer,
    page,
    scroll,
    shows,
    snack,
    tap,
    write,
)

CHOICES = {
    "ringtone": ("sound_vibration", "Phone ringtone", ("Skylark", "Old bell", "Ripple", "Two steps", "Lantern")),
    "pin": ("security_privacy", "Screen lock", ("Pattern", "PIN", "Password")),
    "saver_at": ("battery", "Switch on by itself", ("10%", "15%", "20%", "Never")),
    "language": ("system", "Language", ("Deutsch", "English (United States)", "Italiano")),
}
"""Values to choose from: the row that leads there, the title, the options."""
GADGETS = ("Buds Air", "Kitchen speaker", "Car kit", "Watch S3", "Keyboard K2", "Game pad", "Office headset")
NETWORKS = ("Station Guest", "Lighthouse", "Blue Door", "library-public", "upstairs")
FIRST_APPS = ("Atlas Maps", "Calendar", "Camera", "Clock", "Contacts")
LAST_APPS = ("Step Walk", "Weather")
NAMES = ("Kitchen Phone", "Mila's phone", "Work phone", "Blue one", "Travel phone", "Pocket friend")
LOCK_TEXTS = ("Found? Ring 0555 0123", "Be kind", "Property of Noor", "Back at six", "Look up sometimes")
_SAID = {
    "ringtone": ("the ringtone", "my ringtone"),
    "pin": ("the screen lock", "the way to unlock the phone"),
    "saver_at": ("the charge at which the battery saver starts", "when the battery saver starts by itself"),
    "language": ("the language of the phone", "the language"),
}


def choose_value(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another value of a setting that has several. Slot `value`."""
    draw, name = WordingSampler(chance), chance.choice(list(CHOICES))
    root, title, options = CHOICES[name]
    value, thing = chance.choice([o for o in options if o != view.data["values"][name]]), chance.choice(_SAID[name])
    words = draw.goal(
        f"Set {thing}[value| to {value}| to something else]",
        f"Change {thing}[value| to {value}]",
        f"I would like {thing} to be[value| {value}| another one], please",
        f"Could you choose[value| {value}| something new] for {thing}?",
        f"For {thing} take[value| {value}| another entry of the list] from now on",
    )
    moves = reached(view, draw, root)
    moves.append(tap(name, draw.say(f"Tap {title}", f"Open {title}"), lambda v: v.state["layer"] is not None))
    step, says = len(moves), (f"Choose {value}", f"Tap {value}", f"Select {value}")
    chosen = data(lambda d: d["values"][name] == value)
    moves += [tap(by_words(value, "option_"), draw.say(*says), chosen), done()]
    slot = draw.slot(words, "value", value, step, (f"{title}: which value?", "Which one shall I choose?"))
    return GoalPlan(words.full, tuple(moves), chosen, (slot,), key=step - 1)


def rename_phone(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another name for the phone. Slot `name`."""
    draw, name = WordingSampler(chance), chance.choice(NAMES)
    words = draw.goal(
        f"Rename this phone[name| to {name}]",
        f"Others should see my phone[name| as {name}| under a new name]",
        f"Change the device name[name| to {name}], please",
        f"Give the phone the name[name| {name}| I have chosen]",
    )
    moves = reached(view, draw, "about_phone")
    key = len(moves)
    moves += [
        tap("device_name", draw.say("Tap Device name", "Open Device name"), layer("DeviceName")),
        write(name, draw.say(f"Replace the name with {name}", f"Type {name}"), replace=True),
        tap("button_ok", draw.say("Confirm with OK", "Press OK"), layer(None)),
        done(),
    ]
    slot = draw.slot(words, "name", name, key + 1, ("What should the phone be called?", "Which name shall it get?"))
    return GoalPlan(words.full, tuple(moves), data(lambda d: d["values"]["name"] == name), (slot,), key)


def lock_text(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Words on the lock screen. Slot `text`."""
    draw, text = WordingSampler(chance), chance.choice(LOCK_TEXTS)
    words = draw.goal(
        f"Write[text| {text}| a few words] on the lock screen",
        f"The lock screen should say[text| {text}| something]",
        f"Put a text on my lock screen[text|: {text}]",
        f"Let people read[text| {text}| a line of mine] on the locked phone",
    )
    moves = reached(view, draw, "wallpaper_style")
    key = len(moves)
    says = ("Tap Text on lock screen", "Tap the text field")
    moves += [
        tap("lock_text", draw.say(*says), lambda v: v.state["keyboard"]),
        write(text, draw.say(f"Type {text}", "Type the text")),
        done(),
    ]
    slot = draw.slot(words, "text", text, key + 1, ("What should the lock screen say?", "Which text shall I write?"))
    return GoalPlan(words.full, tuple(moves), data(lambda d: d["values"]["locktext"] == text), (slot,), key)


def _wifi(view: PhoneView, draw: WordingSampler) -> list[Move]:
    internet = tap("internet", draw.say("Tap Internet", "Open Internet"), page("WifiPage"))
    return [*reached(view, draw, "network_internet"), internet]


def join_saved(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Another of the saved networks. Slot `name`; None with Wi-Fi off, or without another one."""
    others = [name for name in view.data["saved"] if name != view.data["network"]]
    if not view.data["values"]["wifi"] or not others:
        return None
    draw, name = WordingSampler(chance), chance.choice(others)
    words = draw.goal(
        f"Connect to the Wi-Fi[name| {name}| that I know]",
        f"Use the network[name| {name}| from my list], it is faster here",
        f"Wi-Fi[name| {name}], please, it is saved",
        f"Change to my saved network[name| {name}]",
    )
    moves = _wifi(view, draw)
    step, joined = len(moves), data(lambda d: d["network"] == name)
    moves += [tap(f"network_{slug(name)}", draw.say(f"Tap {name}", f"Choose {name}"), joined), done()]
    questions = ("Which network shall I use?", f"{' or '.join(others)}?", "Which Wi-Fi do you mean?")
    slot = draw.slot(words, "name", name, step, questions)
    return GoalPlan(words.full, tuple(moves), joined, (slot,), key=step - 1)


def forget_network(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """The network that is in use forgotten. None without one."""
    name = view.data["network"]
    if not name:
        return None
    draw = WordingSampler(chance)
    words = _forget_words(draw, name)
    moves = _wifi(view, draw)
    opens = tap("connected_network", draw.say(f"Tap {name}", "Open the connected network"), page("NetworkDetailPage"))
    moves += [
        opens,
        tap("forget_button", draw.say("Press Forget", "Tap Forget"), layer("ForgetNetwork")),
        tap("button_ok", draw.say("Confirm with Forget", "Press Forget"), snack(f"{name} forgotten")),
        done(),
    ]
    return GoalPlan(words.full, tuple(moves), data(lambda d: name not in d["saved"]), key=len(moves) - 3)


def _forget_words(draw: WordingSampler, name: str) -> Wording:
    return draw.goal(
        f"Make the phone forget the Wi-Fi {name}",
        f"Forget the network {name}, I no longer go there",
        f"Remove {name} from the saved networks",
        f"Please delete the Wi-Fi {name} and its password",
    )


def forget_unknown(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the network was never saved."""
    draw, name = WordingSampler(chance), chance.choice([n for n in NETWORKS if n not in view.data["saved"]])
    end = draw.say(f"{name} is not a saved network", f"The phone has no password for {name}", "It was never saved")
    ask = draw.say(
        f"The phone has not saved {name}. Which network shall it forget?",
        f"{name} is not among the saved networks. Do you mean {chance.choice(view.data['saved'])}?",
        f"There is nothing to forget, {name} was never joined. Is it another network?",
    )
    return _early(_forget_words(draw, name), _wifi(view, draw), end, ask)


def _devices(view: PhoneView, draw: WordingSampler) -> list[Move]:
    """To the list of devices, which Bluetooth must be on for."""
    moves = reached(view, draw, "connected_devices")
    if not view.data["values"]["bluetooth"]:
        says = ("Switch Bluetooth on", "Flip the switch Bluetooth", "Tap Bluetooth to see the devices")
        moves.append(tap("bluetooth", draw.say(*says), is_on("bluetooth", True)))
    return moves


def pair_device(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """A new device paired by Bluetooth. Slot `name`."""
    there = [d["name"] for d in view.data["devices"]]
    draw, name = WordingSampler(chance), chance.choice([g for g in GADGETS if g not in there])
    words = draw.goal(
        f"Pair the phone with[name| {name}| a new device]",
        f"I have a new device[name| called {name}], connect it by Bluetooth",
        f"Add[name| {name}| one more] to my Bluetooth devices",
        f"Bluetooth: pair[name| {name}| something new], please",
    )
    moves = _devices(view, draw)
    key = len(moves)
    paired = data(lambda d: any(x["name"] == name and x["on"] for x in d["devices"]))
    moves += [
        tap("pair_new_device", draw.say("Tap Pair new device", "Press the plus"), layer("PairDialog")),
        tap(by_words(name, "option_"), draw.say(f"Choose {name}", f"Tap {name}"), paired),
        done(),
    ]
    slot = draw.slot(words, "name", name, key + 1, ("Which device shall I pair?", "What is the device called?"))
    return GoalPlan(words.full, tuple(moves), paired, (slot,), key)


def silence_app(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An app's notifications off. Slot `app`; None when they are off for all."""
    far = view.data["values"]["font"] <= 2
    known = [a for a in (*FIRST_APPS[:3], *(LAST_APPS if far else ())) if view.data["notify"][a]["on"]]
    if not known:
        return None
    draw, app = WordingSampler(chance), chance.choice(known)
    words = draw.goal(
        f"No more notifications[app| from {app}| from one of the apps]",
        f"I don't want to hear anything[app| from {app}] any more",
        f"Switch off the notifications[app| of {app}| of an app]",
        f"[app|{app}|One app] keeps disturbing me, turn its notifications off",
    )
    moves, switch = reached(view, draw, "notifications"), f"notify_{slug(app)}"
    if app in LAST_APPS:
        says = ("Scroll through the apps", "Scroll down", "Scroll on to the last apps")
        moves += [
            scroll("settings_list", draw.say(*says), share=0.5),
            scroll("settings_list", draw.say(*says), shows(switch), share=0.5),
        ]
    step, off = len(moves), data(lambda d: not d["notify"][app]["on"])
    says = (f"Flip the switch of {app}", f"Switch it off for {app}", f"Tap the switch next to {app}")
    moves += [tap(switch, draw.say(*says), off), done()]
    slot = draw.slot(words, "app", app, step, ("Which app do you mean?", "Which app shall be quiet?"))
    return GoalPlan(words.full, tuple(moves), off, (slot,), key=step)


def clear_cache(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """An app's cache emptied. Slot `app`."""
    draw, app = WordingSampler(chance), chance.choice(FIRST_APPS)
    before = view.data["notify"][app]["storage"]
    words = draw.goal(
        f"Clear the cache[app| of {app}| of one app]",
        f"[app|{app}|An app] takes too much room, empty its cache",
        f"Delete the temporary files[app| of {app}], please",
        f"Make some room: clear the cache[app| of the app {app}]",
    )
    moves = reached(view, draw, "apps")
    step = len(moves)
    moves += [
        tap(f"app_{slug(app)}", draw.say(f"Open {app}", f"Tap {app}"), page("AppInfoPage")),
        tap("storage_settings", draw.say("Tap Storage & cache", "Open Storage & cache"), layer("ClearCache")),
        tap("button_ok", draw.say("Confirm with Clear", "Press Clear"), snack("Cache cleared")),
        done(),
    ]
    slot = draw.slot(words, "app", app, step, ("Of which app?", "Which app do you mean?"))
    result = data(lambda d: d["notify"][app]["storage"] <= before)
    return GoalPlan(words.full, tuple(moves), result, (slot,), key=step + 1)


def _early(words: Wording, moves: list[Move], end: str, follow_up: str) -> GoalPlan:
    """A goal that needs something else first; nothing is changed on the way."""
    result = data(lambda d: not d["values"]["developer"])
    reason = InfeasibilityReason.PREMATURE
    return GoalPlan(words.full, (*moves, give_up(end)), result, reason=reason, follow_up=follow_up)


def developer_too_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the developer options are not unlocked."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Switch off the developer options",
        "Open the developer options in the settings",
        "Turn the developer options off again, please",
        "Go to the settings and change something in Developer options for me",
    )
    end = draw.say("The system page has no developer options", "Developer options are not unlocked", "They are missing")
    ask = draw.say(
        "The developer options are not unlocked. Shall I unlock them with the build number first?",
        "There are no developer options yet. Do you want me to become a developer in About phone?",
        "Developer options must be unlocked first. Is that what you want?",
    )
    return _early(words, reached(view, draw, "system"), end, ask)


def access_too_early(view: PhoneView, chance: Chance) -> GoalPlan | None:
    """Premature: the device was never paired, or a fingerprint is asked for without a screen lock."""
    if view.data["values"]["pin"] == "None" and chance.random() < 0.5:
        return _fingerprint(view, chance)
    draw, there = WordingSampler(chance), [d["name"] for d in view.data["devices"]]
    name = chance.choice([g for g in GADGETS if g not in there])
    words = draw.goal(
        f"Disconnect {name}",
        f"Connect the phone to my {name} again",
        f"Bluetooth: use {name} as last time, please",
        f"Forget the Bluetooth device {name}",
        f"I have {name} with me today, it is paired already. Connect it by Bluetooth",
    )
    end = draw.say(f"{name} was never paired", "No such device is in the list", f"The list has no {name}")
    ask = draw.say(
        f"{name} is not paired with this phone. Shall I pair it first?",
        f"I find no {name} among your devices. Do you mean {chance.choice(there)}?",
        f"The phone does not know {name} yet. Is it near, so that I can pair it?",
    )
    return _early(words, _devices(view, draw), end, ask)


def _fingerprint(view: PhoneView, chance: Chance) -> GoalPlan:
    """As long as there is no screen lock."""
    draw = WordingSampler(chance)
    words = draw.goal(
        "Let me unlock the phone with my fingerprint",
        "Turn on fingerprint unlock",
        "I want to have the fingerprint instead of typing, switch it on",
        "Please switch the unlocking by finger on",
    )
    end = draw.say("Fingerprint unlock is greyed out without a screen lock", "A screen lock must be set first")
    ask = draw.say(
        "A screen lock must be set first. Would you like a PIN or a pattern?",
        "Fingerprint unlock needs a screen lock. Which kind shall I set?",
    )
    return _early(words, reached(view, draw, "security_privacy"), end, ask)
