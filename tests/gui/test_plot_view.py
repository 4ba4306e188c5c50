"""A panel's switch, legend, crosshair, zoom, theme and menu."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from answers_kit import given
from plot_sample import BOTH, LINEAR, LOSS, PARAMETERS, TAILS, VALUES, X, sample_update
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QRegion, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import Painted

from dpstudio import vocabulary as v
from dpstudio.core.figure import Figure
from dpstudio.core.results import Column, Fact, Table
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.axes import AxisStrip
from dpstudio.gui.plot.crosshair import beside_pointer, rows_of
from dpstudio.gui.plot.legend import fitted
from dpstudio.gui.shell import theme
from dpstudio.scene.frame import Frame
from dpstudio.scene.scene import Reading, resolve
from dpstudio.studies import all_studies
from dpstudio.vocabulary import amount


def readings(figure: Figure, update, x: float) -> list[Reading]:
    return resolve(figure, update, VALUES, PARAMETERS).readings(x)


@pytest.fixture
def made(qtbot):
    def make(*figures: Figure, shown: bool = True) -> FigureView:
        view = FigureView(figures or (LINEAR, TAILS), theme.LIGHT, parameters=PARAMETERS)
        qtbot.addWidget(view)
        view.resize(640, 400)
        if shown:
            view.show()
        view.show_update(sample_update(), VALUES)
        if shown:
            view.grab()  # what a hand does next, it does to a painted plot
        return view

    return make


def wheel(view: FigureView, at: QPoint, turns: int) -> None:
    viewport = view.canvas.viewport()
    event = QWheelEvent(QPointF(at), QPointF(viewport.mapToGlobal(at)), QPoint(), QPoint(0, 120 * turns),
                        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(viewport, event)


def hover(view: FigureView, at: QPoint) -> None:
    """Move the pointer, with no button held whatever came before."""
    viewport = view.canvas.viewport()
    QApplication.sendEvent(viewport, QMouseEvent(
        QEvent.Type.MouseMove, QPointF(at), QPointF(viewport.mapToGlobal(at)), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier))


def middle(view: FigureView) -> QPoint:
    return view.canvas.mapFromScene(view.canvas.box.sceneBoundingRect().center())


def listed(view: FigureView) -> dict:
    """The entries of the list of pictures, by the key of each."""
    return {action.data(): action for action in view.header.titles.menu().actions() if not action.isSeparator()}


def test_that_the_first_figure_is_current_and_the_list_of_titles_chooses(made, qtbot) -> None:
    view = made()
    assert view.current_figure() is LINEAR
    with qtbot.waitSignal(view.figure_chosen) as chosen:
        listed(view)["tails"].trigger()
    assert chosen.args == ["tails"]
    assert view.current_figure() is TAILS
    assert view.header.titles.text() == TAILS.title
    assert view.canvas.scene_ is not None
    with qtbot.assertNotEmitted(view.figure_chosen):
        view.choose("linear")
    assert listed(view)["linear"].isChecked()
    with pytest.raises(KeyError):
        view.choose("loss")


def reading(view, x):
    """Label, quantity and value of every curve at the sample nearest to x."""
    return [(one.label, one.quantity, one.value) for one in view._scene().readings(x)]


def test_that_a_click_in_the_legend_hides_and_shows(made, qtbot) -> None:
    view = made()
    button = view.legend.buttons[0]
    with qtbot.waitSignal(view.hidden_changed) as changed:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert changed.args == [frozenset({"laplace"})]
    assert [label for label, _, _ in reading(view, 1000)] == ["Cutoff exponential"]
    with qtbot.waitSignal(view.hidden_changed) as changed:
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert changed.args == [frozenset()]


def test_that_hiding_by_program_is_silent_and_shows_in_the_legend(made, qtbot) -> None:
    view = made()
    with qtbot.assertNotEmitted(view.hidden_changed):
        view.look(hidden=frozenset({"cutoff"}))
    assert [button.isChecked() for button in view.legend.buttons] == [True, False]
    view.choose("tails")
    assert {label for label, _, _ in reading(view, 1000)} == {"Laplace"}


def test_that_the_crosshair_reads_every_curve_where_the_pointer_is(made) -> None:
    view = made(TAILS)
    update = sample_update()
    frame = view.canvas.crosshair.frame
    point = QPointF(frame.across(962.3), frame.height / 2)
    hover(view, view.canvas.mapFromScene(view.canvas.box.mapToScene(point)))
    crosshair = view.canvas.crosshair
    assert crosshair.isVisible()
    read = {reading.part.layer.y: (reading.x, reading.value) for reading in crosshair.readings}
    table = update.tables["records"]
    assert set(read) == {column for column in table if column != X and column.quantity != v.LOSS_ACCEPT}
    nearest = abs(table[X] - frame.x_at(round(point.x()))).argmin()
    for column, (x, value) in read.items():
        assert abs(x - table[X][nearest]) <= 1
        assert value == table[column][int(x - 900)]


def test_that_a_resting_pointer_reads_the_newest_curves(made) -> None:
    view = made()
    frame = view.canvas.crosshair.frame
    view.canvas.point_at(QPointF(frame.across(970), frame.height / 2))
    before = [reading.value for reading in view.canvas.crosshair.readings]
    view.show_update(sample_update(epsilon=0.3), VALUES)
    after = [reading.value for reading in view.canvas.crosshair.readings]
    assert after == [value for _, _, value in reading(view, 970)]
    assert after != before


def test_that_a_reading_is_a_computed_value_of_the_nearest_sample(made) -> None:
    table = sample_update().tables["records"]
    assert reading(made(), 1010.4) == [
        (one.label, v.ACCEPTANCE, table[Column(v.ACCEPTANCE, one)][110]) for one in BOTH]


def test_that_infinity_is_read_as_such(made) -> None:
    assert reading(made(LOSS), 1050)[1][2] == math.inf


def test_that_two_quantities_of_one_series_share_a_row() -> None:
    heads, rows = rows_of(readings(TAILS, sample_update(), 1000))
    assert heads == (v.ACCEPTANCE.symbol, v.REJECTION.symbol)
    assert [row.label for row in rows] == [one.label for one in BOTH]
    assert all(len(row.values) == 2 for row in rows)


def test_that_a_curve_of_bounds_is_read_as_bounds_and_next_to_certain_by_its_complement() -> None:
    update = sample_update()
    n = 120  # of the second curve, which is a bound
    value = update.tables["records"][Column(v.ACCEPTANCE, BOTH[1])][n]
    for at_least, wanted in ((False, "up"), (True, "down")):
        bound = Fact(v.ACCEPTANCE, 0.5, BOTH[1], "bound", at_least=at_least)
        facts = tuple(fact for fact in update.facts if (fact.quantity, fact.series) != (v.ACCEPTANCE, BOTH[1]))
        read = readings(LINEAR, given(update.tables, (*facts, bound)), 1020)
        _, rows = rows_of(read)
        assert rows[1].values == (amount(value, v.ACCEPTANCE, side=wanted),)
        assert rows[0].values == (amount(read[0].value, v.ACCEPTANCE),)
    assert amount(value, v.ACCEPTANCE, side="up") != amount(value, v.ACCEPTANCE, side="down")
    accepted, rejected = Column(v.ACCEPTANCE, BOTH[0]), Column(v.REJECTION, BOTH[0])
    columns = {**update.tables["records"].columns}
    columns[accepted], columns[rejected] = np.ones(201), np.full(201, 3.25e-40)
    _, rows = rows_of(readings(LINEAR, given({"records": Table(columns)}, update.facts), 1000))
    assert rows[0].values == ("1 − 3.2e-40",)


@pytest.mark.parametrize("x", [0, 5, 150, 200, 299, 399])
@pytest.mark.parametrize("y", [0, 60, 199])
@pytest.mark.parametrize(("width", "height"), [(120, 100), (180, 60)])
def test_that_the_read_out_stays_on_the_plot_and_off_the_pointer(x, y, width, height) -> None:
    frame, pointer = Frame(width=400, height=200), QPointF(x, y)
    box = beside_pointer(frame, pointer, width, height)
    assert box.left() >= 0
    assert box.right() <= 400
    assert box.top() >= 0
    assert box.bottom() <= 200
    assert not box.contains(pointer)


def test_that_the_wheel_zooms_x_and_says_so_once(made, qtbot) -> None:
    view = made()
    seen: list[tuple[str, float, float]] = []
    view.view_changed.connect(lambda *window: seen.append(window))
    with qtbot.waitSignal(view.view_changed):
        for _ in range(5):
            wheel(view, middle(view), 1)
    assert len(seen) == 1
    table, low, high = seen[0]
    assert table == "records"
    assert 900 < low < high < 1100
    assert view.canvas._y == (0.0, 1.0)


def test_that_a_view_set_by_program_is_silent_and_stays(made, qtbot) -> None:
    view = made()
    with qtbot.assertNotEmitted(view.view_changed, wait=50):
        view.set_view((950.0, 1010.0))
        view.show_update(sample_update(epsilon=0.2), VALUES)
    assert view.canvas.window() == pytest.approx((950, 1010))
    view.set_view(None)
    assert view.canvas.window() == pytest.approx((900, 1100))


def test_that_a_double_click_and_the_fit_button_return_to_the_natural_view(made, qtbot) -> None:
    view = made()

    def double_click() -> None:
        QTest.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle(view))
        QTest.mouseRelease(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle(view))

    for act in (double_click, lambda: QTest.mouseClick(view.header.fit, Qt.MouseButton.LeftButton)):
        view.set_view((950.0, 1010.0))
        with qtbot.waitSignal(view.view_reset) as reset:
            act()
        assert reset.args == ["records"]
        assert view.canvas.window() == pytest.approx((900, 1100))


def test_that_nobody_can_go_where_there_are_no_records(made) -> None:
    view = made()
    view.set_view((0.0, 40.0))
    for _ in range(30):
        QTest.keyClick(view.canvas, Qt.Key.Key_Left)
    assert view.canvas.window()[0] >= 0


def test_that_a_hidden_view_keeps_the_newest_update_for_later(made) -> None:
    view = made(shown=False)
    assert view.canvas.scene_ is None
    newest = sample_update(epsilon=0.5)
    view.show_update(newest, VALUES)
    view.show()
    assert view.canvas.scene_.update is newest


def test_that_the_y_range_holds_still_while_a_hand_moves(made) -> None:
    view = made(LOSS)
    before = view.canvas._y
    view.look(interacting=True)
    view.show_update(sample_update(epsilon=0.09), VALUES | {"epsilon": 0.09})
    assert view.canvas._y == before
    view.show_update(sample_update(epsilon=5.0), VALUES | {"epsilon": 5.0})
    assert view.canvas._y != before


def test_that_the_image_is_the_panel_as_it_stands(made) -> None:
    view = made(shown=False)
    image = view.image()
    ratio = image.devicePixelRatio()
    assert (image.width() / ratio, image.height() / ratio) == (640, 400)
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
    assert len(colours) > 50


def test_that_the_theme_reaches_curves_and_legend(made, qapp) -> None:
    view = made()
    item = next(iter(view.canvas.layers))
    light = item.colour().name()
    theme.apply(qapp, theme.DARK)
    view.set_theme(theme.DARK)
    assert item.colour().name() != light
    assert view.image().pixelColor(4, 200).lightness() < 60
    theme.apply(qapp, theme.LIGHT)
    view.set_theme(theme.LIGHT)
    assert view.image().pixelColor(4, 200).lightness() > 200


def test_that_the_menu_asks_for_what_it_says(made, qtbot) -> None:
    view = made()
    menu = view.menu()
    actions = {action.text(): action for action in menu.actions() if action.text()}
    for words, signal, args in (
        ("Copy picture", view.copy_requested, ["picture"]), ("Copy values", view.copy_requested, ["values"]),
        ("Numbers of this picture", view.values_requested, ["linear"]),
        ("Export picture…", view.export_requested, ["linear"]), ("Enlarge", view.enlarge_requested, []),
        ("Fit axes", view.view_reset, ["records"]),
    ):
        with qtbot.waitSignal(signal) as asked:
            actions[words].trigger()
        assert asked.args == args


def test_that_every_part_has_a_name_to_be_read_out(made) -> None:
    view = made()
    parts = [view, view.canvas, view.header.fit, view.header.enlarge, view.header.titles,
             *view.legend.buttons]
    assert all(part.accessibleName() for part in parts)


@pytest.mark.parametrize("room", [200, 380, 600, 1200])
def test_that_legend_entries_never_leave_their_row(room: int) -> None:
    rows = fitted([90, 150, 120, 110, 260], room, 4, 2, 116)
    assert sum(map(len, rows)) == 5
    assert all(sum(row) + 4 * (len(row) - 1) <= room for row in rows)


@pytest.mark.parametrize("width", [120, 240, 900])
def test_that_the_list_has_every_picture_once_each_told_from_the_others(qtbot, width):
    for kind in all_studies().values():
        view = FigureView(kind.figures, theme.LIGHT)
        qtbot.addWidget(view)
        view.resize(width, 300)
        view.show()
        words = [action.text() for action in listed(view).values()]
        assert len(words) == len(set(words)) == len(kind.figures)
        assert view.header.titles.width() <= width
        whole = view.header.titles.text() == kind.figures[0].title
        assert whole or view.header.titles.text().endswith("…") or width < 200
        assert whole or width < 900


def on_screen(view: FigureView) -> QImage:
    """What stands on the screen, put together from all that was painted so far."""
    for _ in range(3):  # what is laid out anew is painted anew
        QApplication.processEvents()
    return view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize("dressed", [None, theme.DARK, replace(theme.LIGHT, scale=theme.PRESENTATION)])
def test_that_what_is_painted_of_a_moving_picture_is_as_if_all_were_painted_anew(made, qtbot, dressed) -> None:
    view = made()
    before = on_screen(view)
    if dressed is not None:
        view.set_theme(dressed)
        on_screen(view)
    for epsilon in (0.12, 0.2, 0.05):
        view.show_update(sample_update(epsilon), VALUES)
        moved = on_screen(view)
        assert moved == view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        assert moved != before
    ground = QColor((dressed or theme.LIGHT).surface)
    corner = view.canvas.geometry().topRight() - QPoint(1, -1)
    assert moved.pixelColor(corner) == ground


def test_that_a_moving_picture_paints_nothing_around_it_and_no_words_beside_its_axes(made, qtbot, monkeypatch) -> None:
    view = made()
    view.setStyleSheet(theme.stylesheet(theme.LIGHT))  # by which what lies in a panel is seen through
    canvas = view.canvas
    on_screen(view)
    counted, measured = Painted(view, canvas, canvas.viewport()), []
    monkeypatch.setattr(AxisStrip, "_metrics", lambda strip: measured.append(strip) or QFontMetricsF(view.font()))
    view.show_update(sample_update(0.2), VALUES)
    on_screen(view)
    assert counted.times == {view: 0, canvas: 0, canvas.viewport(): 1}
    assert not measured
    canvas.viewport().update()
    on_screen(view)
    assert set(measured) == {canvas.left, canvas.bottom}


class Repainted(QObject):
    """Where a widget was painted."""

    def __init__(self, widget) -> None:
        super().__init__(widget)
        self.region = QRegion()
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint:
            self.region |= event.region()
        return False


def test_that_why_there_is_nothing_is_painted_where_nothing_else_changes(made, qtbot):
    canvas = made(LINEAR).canvas
    hidden = tuple(replace(part, shown=False) for part in canvas.scene_.parts)
    bare = replace(canvas.scene_, parts=hidden, straights=())
    canvas.show_scene(bare)
    painted = Repainted(canvas.viewport())
    for _ in range(5):
        QApplication.processEvents()
    painted.region = QRegion()
    canvas.show_scene(replace(bare, blank=True))
    centre = canvas.mapFromScene(canvas.box.sceneBoundingRect().center())
    qtbot.waitUntil(lambda: painted.region.contains(centre))
