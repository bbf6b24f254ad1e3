"""An episode as an animated WebP picture or an MP4 video, by PyAV.

Video is VP9 in MP4, made by libvpx: the wheels of PyAV carry x264 and x265 as well, whose licence (GPL) would reach
whoever passes the program on with them, and which are not used here. Every frame has its own duration.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import IO, TYPE_CHECKING, cast

from stepscope.app.services.export.episode_frames import Frames, FrameSize, Timing
from stepscope.app.services.export.episode_view import EpisodeView
from stepscope.core.errors import UnavailableError, UsageError, UserError
from stepscope.core.lazy import lazy_module
from stepscope.core.progress import CancelToken, Progress, ProgressMeter

if TYPE_CHECKING:
    import av
    from av.container import OutputContainer
    from av.video.stream import VideoStream
else:
    av = lazy_module("av")

SUFFIXES = (".webp", ".mp4")
HINT = "Install it with: pip install 'stepscope[video]'"
USUAL = Timing()
_TICK = Fraction(1, 1000)
_KEY_EVERY = 8
"""Frames between those that a player can jump to."""
_WEBP = {"quality": "80", "compression_level": "3"}
_VP9 = {"crf": "30", "b": "0", "deadline": "good", "cpu-used": "5", "row-mt": "1", "tune-content": "screen"}


def check_animation(suffix: str) -> None:
    """Raises UsageError for another kind of file, UnavailableError where PyAV is not installed."""
    if suffix.lower() not in SUFFIXES:
        raise UsageError("this is no kind of animation that can be written.", hint="Name it .webp or .mp4.")
    try:
        import av  # noqa: F401
    except ImportError as error:
        raise UnavailableError("animations need PyAV, which is not installed.", hint=HINT) from error


def write_animation(
    view: EpisodeView,
    stream: IO[bytes],
    suffix: str,
    token: CancelToken,
    *,
    size: FrameSize = FrameSize.MEDIUM,
    timing: Timing = USUAL,
) -> Generator[Progress, None, int]:
    """Write one frame a step into a stream that can be sought in; returns how many, which a cancel makes fewer (what
    was written then is no whole file). Raises UsageError for an episode without steps, and as `check_animation`."""
    check_animation(suffix)
    steps = view.episode.steps
    if not steps:
        raise UsageError("the episode has no steps.", hint="Choose another one.")
    frames, durations = Frames(view, size), timing.of(steps)
    meter, now = ProgressMeter(len(steps)), 0
    with _opened(stream, suffix.lower()) as container:
        track = _track(container, suffix.lower(), frames)
        for place, seconds in enumerate(durations):
            if token.cancelled:
                return meter.done
            _add(container, track, frames, place, now)
            now += round(seconds / _TICK)
            yield meter.advance()
        if suffix.lower() == ".mp4":  # a video ends with its last frame: it is shown again where its time is over
            _add(container, track, frames, len(steps) - 1, now)
        for packet in track.encode(None):
            container.mux(packet)
    return meter.done


@contextmanager
def _opened(stream: IO[bytes], suffix: str) -> Iterator[OutputContainer]:
    """The file's container. What the library complains about is told as an error of ours, a disk that refuses as the
    system's own."""
    options = {"loop": "0"} if suffix == ".webp" else {}
    file = _AnimationFile(stream)
    try:
        with av.open(file, "w", format=suffix[1:], options=options) as container:
            yield container
    except av.error.FFmpegError as error:
        if file.refusal is not None:
            raise file.refusal from error
        raise UserError(f"the animation cannot be made: {error.strerror}.", hint="Try a smaller size.") from error


class _AnimationFile:
    """A stream for the library, which tells of an error in it as one of its own."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.refusal: OSError | None = None
        self.seek, self.tell = stream.seek, stream.tell

    def write(self, data: bytes) -> int:
        try:
            return self._stream.write(data)
        except OSError as error:
            self.refusal = error
            raise


def _track(container: OutputContainer, suffix: str, frames: Frames) -> VideoStream:
    codec, options = ("libwebp_anim", _WEBP) if suffix == ".webp" else ("libvpx-vp9", _VP9)
    track = cast("VideoStream", container.add_stream(codec, rate=round(1 / _TICK), options=dict(options)))
    track.width, track.height = frames.size.width, frames.size.height
    track.pix_fmt = "yuv420p"
    track.time_base = track.codec_context.time_base = _TICK
    track.codec_context.gop_size = _KEY_EVERY
    return track


def _add(container: OutputContainer, track: VideoStream, frames: Frames, place: int, now: int) -> None:
    """Encode a step's frame at a time in ticks."""
    frame = av.VideoFrame.from_ndarray(frames.frame(place), format="rgb24")
    frame.pts, frame.time_base = now, _TICK
    for packet in track.encode(frame):
        container.mux(packet)
