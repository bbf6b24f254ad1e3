#!/bin/sh
# Installs what the given lists name and the machine lacks. Does nothing where apt is missing; says what
# to run where it may not install.
set -eu
command -v dpkg-query >/dev/null 2>&1 || exit 0
command -v apt-get >/dev/null 2>&1 || exit 0

missing=""
for package in $(cat "$@" | grep -v '^#'); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
    echo "These Debian packages are missing; install them with:" >&2
    echo "  sudo apt-get install$missing" >&2
    exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # a list of words
apt-get install -y -qq --no-install-recommends $missing >/dev/null
