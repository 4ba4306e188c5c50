"""Writing pictures: SVG, PDF and PNG, the same bytes for the same study, each carrying its session."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape, unescape
from pathlib import Path
from threading import RLock

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Figure
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents import embedded, session_file, words
from dpstudio.documents.files import ending_of, write_file
from dpstudio.documents.print import style
from dpstudio.documents.session import Session
from dpstudio.documents.setting import title
from dpstudio.documents.state import StudyState
from dpstudio.scene.described import described
from dpstudio.scene.scene import Pictured, Pinned, resolve
from dpstudio.vocabulary import integers, reals

FORMATS = ("svg", "pdf", "png")
SIZE_MM = (160.0, 100.0)
DPI = 300
WIDTH, HEIGHT = reals(80, 1000), reals(60, 1000)
RESOLUTION = integers(36, 2400)
MOST_PIXELS = 10**8

_DRAWING = RLock()
"""Held by the one thread that draws by matplotlib."""


def write(path: str | Path, session: Session, update: Pictured, figure: Figure, *,
          size_mm: tuple[float, float] = SIZE_MM, dpi: int = DPI, published: bool = False) -> None:
    """Write one figure of the study in view in the format that the file's name ends in; see `picture`.

    Raises InvalidParameter for a name, size or resolution that cannot be had, KeyError where the figure's table is not
    computed yet, and OSError.
    """
    drawn = picture(format_of(path), session, update, figure, size_mm=size_mm, dpi=dpi, published=published)
    write_file(path, drawn)


def write_all(folder: str | Path, session: Session, update: Update, *, format: str = FORMATS[0],  # noqa: A002
              size_mm: tuple[float, float] = SIZE_MM, dpi: int = DPI, published: bool = False) -> list[Path]:
    """Write every figure into a folder, made where it is missing, and return the files; raises as `write` does."""
    folder, study = Path(folder), session.study
    folder.mkdir(parents=True, exist_ok=True)
    paths, pins = files_of(folder, study.key, study.figures, format), pinned(session.state(), update)
    for path, figure in zip(paths, study.figures, strict=True):
        drawn = picture(format, session, update, figure, size_mm=size_mm, dpi=dpi, pins=pins,
                        published=published)
        write_file(path, drawn)
    return paths


def pinned(state: StudyState, update: Pictured) -> tuple[Pinned, ...]:
    """The pins of a study, answered for what its present answer shows and simulated if that is.

    A picture that is none of the study's own shows none.
    """
    if not isinstance(update, Update):
        return ()
    found = {study: answer(study, simulate=update.seen is not None, views=update.windows)
             for study in dict.fromkeys(pin.study for pin in state.pins)}
    return tuple(Pinned(title(pin, state.setting), found[pin.study], pin.only) for pin in state.pins)


def files_of(folder: Path, study_key: str, figures: Iterable[Figure], format: str) -> list[Path]:  # noqa: A002
    """What every figure of a study is written to."""
    return [folder / f"{study_key}-{figure.key}.{format}" for figure in figures]


def format_of(path: str | Path) -> str:
    """svg, pdf or png, as the file's name says."""
    return ending_of(path, *FORMATS, told=f".{', .'.join(FORMATS)}")


def read_size(text: str) -> tuple[float, float]:
    """The millimetres of “160x100mm”; raises InvalidParameter."""
    found = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?) ?[x×] ?(\d{1,4}(?:\.\d{1,3})?) ?(?:mm)?", text.strip(), re.ASCII)
    if not found:
        raise InvalidParameter("size", f"WIDTHxHEIGHTmm, the width {WIDTH.phrase} and the height {HEIGHT.phrase}", text)
    return float(found[1]), float(found[2])


def picture(format: str, session: Session, update: Pictured, figure: Figure, *,  # noqa: A002
            size_mm: tuple[float, float] = SIZE_MM, dpi: int = DPI, pins: Sequence[Pinned] | None = None,
            published: bool = False) -> bytes:
    """The bytes of one figure's file, with the pins and without the hidden curves of the study in view.

    It carries the session, as `Session.carried` says; `pins` are those of the study where they are answered already;
    `published` marks the ε of deployments.
    Raises as `write` does, and ValueError for a count that is said to be left out.
    """
    study, state = session.study, session.state()
    words.check_left_out(study, session.data)
    for pin in state.pins:
        words.check_left_out(pin.study, pin.origin)
    check_size(size_mm, dpi, format)
    pins = pinned(state, update) if pins is None else pins
    update = update.deciding(state.chosen) if isinstance(update, Update) else update
    shown = session.carried().choose(figure.place, figure.key) if figure in study.figures else session.carried()
    carried = session_file.text(shown)
    headed = f"{study.title}: {figure.title}"
    out = io.BytesIO()
    with print_settings():
        from dpstudio.documents.print.drawing import draw

        canvas = draw(study, update, figure, size_mm, state.unseen(figure), session.data, pins,
                      notes=state.picture_notes, published=published)
        match format:
            case "pdf":
                canvas.savefig(out, format="pdf", metadata={
                    "Title": headed, "Creator": words.MADE_BY, "Producer": None, "CreationDate": None,
                    "Subject": words.relation(study), "Keywords": carried})
            case "svg":
                canvas.savefig(out, format="svg", metadata={"Title": headed, "Creator": [words.MADE_BY], "Date": None})
            case _:
                canvas.savefig(out, format="png", dpi=dpi, metadata={"Title": headed, "Software": words.MADE_BY})
    drawn = out.getvalue()
    if format == "svg":
        scene = resolve(figure, update, study.values(), {each.name: each for each in study.parameters()},
                        hidden=state.unseen(figure), pins=pins)
        return embedded.into_svg(_with_words(_with_fonts(drawn), described(figure, scene)), carried)
    return embedded.into_png(drawn, carried) if format == "png" else drawn


def check_size(size_mm: tuple[float, float], dpi: int, format: str = "png") -> None:  # noqa: A002
    """Raises InvalidParameter for a sheet too small to read or too large to hold."""
    for name, domain, given in (("width", WIDTH, size_mm[0]), ("height", HEIGHT, size_mm[1]), ("dpi", RESOLUTION, dpi)):
        if domain.accept(given) is None:
            raise InvalidParameter(name, f"{domain.phrase} mm" if name != "dpi" else domain, given)
    if format == "png" and size_mm[0] * size_mm[1] * (dpi / 25.4) ** 2 > MOST_PIXELS:
        most = int((MOST_PIXELS / (size_mm[0] * size_mm[1])) ** 0.5 * 25.4)
        raise InvalidParameter("dpi", integers(RESOLUTION.low, most), dpi, "at this size")


@contextmanager
def print_settings() -> Iterator[None]:
    """matplotlib as it comes, whatever a file of the user's says, with the few settings of ours.

    For one thread at once: its settings are those of the whole process, and two would draw with each other's.
    """
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib

    from dpstudio.documents.print.fonts import close

    with _DRAWING, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(style.RC)
        try:
            yield
        finally:
            close()


def _with_words(svg: bytes, says: str) -> bytes:
    """The SVG as one picture with a name, its title, and a description for whoever cannot see it."""
    text, told = svg.decode("utf-8"), f'</title>\n <desc id="says">{escape(says)}</desc>'
    for was, now in (("<svg ", '<svg role="img" aria-labelledby="title" aria-describedby="says" '),
                     ("<title>", '<title id="title">'), ("</title>", told)):
        text = text.replace(was, now, 1)
    return text.encode()


def _with_fonts(svg: bytes) -> bytes:
    """The SVG with the glyphs of its texts, so that it looks the same wherever it is opened."""
    from dpstudio.documents.print.fonts import font_faces

    text = svg.decode("utf-8")
    used: dict[bool, set[str]] = {False: set(), True: set()}
    for look, words_ in re.findall(r'<text style="([^"]*)"[^>]*>([^<]*)</text>', text):
        used["bold" in look or "700" in look] |= set(unescape(words_))
    head, defs, tail = text.partition("<defs>\n")
    return f'{head}{defs}  <style type="text/css">{font_faces(used)}</style>\n{tail}'.encode()
