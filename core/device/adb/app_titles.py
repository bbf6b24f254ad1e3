"""What people call apps whose package does not tell. A device says titles only in its own language, and slowly."""

from __future__ import annotations

TITLES = {
    "com.amazon.mShop.android.shopping": "Amazon Shopping",
    "com.android.camera2": "Camera",
    "com.android.deskclock": "Clock",
    "com.android.dialer": "Phone",
    "com.android.documentsui": "Files",
    "com.android.mms": "Messages",
    "com.android.vending": "Play Store",
    "com.facebook.katana": "Facebook",
    "com.facebook.orca": "Messenger",
    "com.google.android.GoogleCamera": "Camera",
    "com.google.android.apps.docs": "Drive",
    "com.google.android.apps.messaging": "Messages",
    "com.google.android.apps.nbu.files": "Files",
    "com.google.android.deskclock": "Clock",
    "com.google.android.dialer": "Phone",
    "com.google.android.gm": "Gmail",
    "com.google.android.googlequicksearchbox": "Google",
    "com.google.android.youtube": "YouTube",
    "com.netflix.mediaclient": "Netflix",
    "com.reddit.frontpage": "Reddit",
    "com.sec.android.app.sbrowser": "Samsung Internet",
    "com.spotify.music": "Spotify",
    "com.ubercab": "Uber",
    "com.whatsapp": "WhatsApp",
    "com.zhiliaoapp.musically": "TikTok",
    "org.telegram.messenger": "Telegram",
}
_PLAIN = frozenset(("com", "org", "net", "io", "android", "google", "app", "apps"))
"""Parts of a package's name that say nothing of the app."""


def titled(package: str) -> str:
    """A title for people: a known one, else the last telling word of the package's name."""
    known = TITLES.get(package)
    if known:
        return known
    words = [word for word in package.split(".") if word not in _PLAIN]
    return (words[-1] if words else package).replace("_", " ").capitalize()
