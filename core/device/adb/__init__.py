"""Android devices through the adb server: list and connect, picture, UI tree, touch and text."""
