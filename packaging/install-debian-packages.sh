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
export DEBIAN_FRONTEND=noninteractive LC_ALL=C

# Runs apt-get with the arguments; while another program holds apt's or dpkg's lock it waits and says so. apt's own
# waiting (DPkg::Lock::Timeout) does not cover the lock of the package lists.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
waited=0
patience=${STEPSCOPE_APT_PATIENCE:-1800}
patiently() {
    while ! apt-get "$@" >/dev/null 2>"$said"; do
        if ! grep -qE 'Could not get lock|Unable to (acquire|lock)' "$said" || [ "$waited" -ge "$patience" ]; then
            cat "$said" >&2
            return 1
        fi
        [ $((waited % 30)) -ne 0 ] || echo "Another program is installing packages; waiting for it ($waited s). Ctrl+C ends the waiting." >&2
        sleep 3
        waited=$((waited + 3))
    done
}

patiently update -qq
# shellcheck disable=SC2086 # a list of words
patiently install -y -qq --no-install-recommends $missing
