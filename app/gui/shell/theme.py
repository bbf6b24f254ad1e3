"""Puts a theme into force: Fusion, palette and the style sheet of all chrome."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from stepscope import resources
from stepscope.widgets.common.plain_words import PLAIN_RULES
from stepscope.widgets.theme import Theme, set_current

ICONS = Path(resources.__file__).resolve().parent / "icons"
BASE_TEXT_PIXELS = 13
STIRRING = (
    Qt.UIEffect.UI_General, Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_FadeMenu, Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip, Qt.UIEffect.UI_FadeTooltip, Qt.UIEffect.UI_AnimateToolBox,
)  # fmt: skip
"""Menus that roll and tooltips that fade: nobody gets them who has not asked for them."""
CHOICES = ("system", "light", "dark", "high contrast")


def theme_for(choice: str) -> Theme:
    """The theme that a choice of CHOICES means now; "system" follows the platform's colour scheme."""
    if choice == "system":
        dark = QGuiApplication.styleHints().colorScheme() != Qt.ColorScheme.Light
        return Theme.dark() if dark else Theme.light()
    return {"light": Theme.light(), "dark": Theme.dark(), "high contrast": Theme.high_contrast()}[choice]


def apply_text_size(application: QApplication, percent: int) -> None:
    """Set the font of all text, `percent` (80..200) of its usual size. Widgets that are made before keep the size that
    they were made with until the style is another one."""
    font = QFont(application.font())
    font.setPixelSize(round(BASE_TEXT_PIXELS * percent / 100))
    font.setFeature(QFont.Tag("tnum"), 1)
    application.setFont(font)


def apply_theme(
    application: QApplication, theme: Theme, text_percent: int = 100, *, compact: bool = False, still: bool = True
) -> None:
    """Style the whole application; `text_percent` (80..200) scales all text. `compact` rows lie closer. Unless `still`,
    menus and tips fade, and the screen on which a walk is pulses; nothing else moves by itself."""
    for effect in STIRRING:
        application.setEffectEnabled(effect, not still)
    apply_text_size(application, text_percent)
    application.setPalette(_palette(theme))
    sheet = _style_sheet(theme, text_percent, compact)
    if sheet != application.styleSheet():  # setting it polishes every widget anew
        application.setStyleSheet(sheet)
    set_current(theme, compact=compact, still=still)


def _palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette()
    for which, colour in {
        role.Window: theme.panel,
        role.WindowText: theme.text,
        role.Base: theme.inset,
        role.AlternateBase: theme.raised,
        role.Text: theme.text,
        role.PlaceholderText: theme.dim,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.selection,
        role.HighlightedText: theme.text,
        role.Link: theme.accent,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Light: theme.raised,
        role.Midlight: theme.line2,
        role.Shadow: theme.canvas,
        role.Accent: theme.accent,
    }.items():
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        faded = QColor(theme.dim)
        faded.setAlphaF(0.55)
        palette.setColor(QPalette.ColorGroup.Disabled, which, faded)
    return palette


def _picture(kind: str, theme: Theme) -> str:
    """The arrow of a combo box, the tick of a box; style sheets take pictures from files only."""
    name = "contrast" if theme.name == "high contrast" else theme.name
    return (ICONS / f"{kind}-{name}.svg").as_posix()


def _resting(theme: Theme) -> str:
    """The words of small buttons that cannot be pressed."""
    colour = QColor(theme.dim)
    return f"rgba({colour.red()}, {colour.green()}, {colour.blue()}, 55%)"


def _style_sheet(theme: Theme, text_percent: int, compact: bool = False) -> str:
    def pixels(size: float) -> str:
        return f"{round(size * text_percent / 100)}px"

    return PLAIN_RULES + Template(SHEET).substitute(
        asdict(theme),
        bar="30px" if compact else "36px",
        title_bar="36px" if compact else "44px",
        entry="2px" if compact else "5px",
        tall="2px" if compact else "4px",
        branch="0px" if compact else "2px",
        tab="4px" if compact else "8px",
        caret=_picture("caret", theme),
        check=_picture("check", theme),
        box=pixels(14),
        dot=pixels(8),
        half=f"{(round(14 * text_percent / 100) + 2) // 2}px",  # a larger radius would be none
        rim=pixels(4),
        resting=_resting(theme),
        small=pixels(12),
        tiny=pixels(11),
        base=pixels(13),
        heading=pixels(12.5),
        subtitle=pixels(17),
        page=pixels(22),
        key=pixels(10.5),
        rail=f"{max(56, 8 + round(48 * text_percent / 100))}px",
        status=f"{max(27, round(27 * text_percent / 100))}px",
        rail_row=f"{max(46, 25 + round(13 * text_percent / 100))}px",
        rail_gap="4px" if text_percent <= 150 else "1px",  # ten rows fit into the smallest window
        rail_rim="3px" if text_percent <= 150 else "1px",
    )


SHEET = """
* { outline: none; }
QMainWindow, QMainWindow > QWidget#centre { background: $window; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QToolTip { background: $raised; color: $text; border: 1px solid $line; padding: 4px 6px; font-size: $small; }

QMenuBar { background: $chrome; border-bottom: 1px solid $line; padding: 4px 8px; }
QMenuBar::item { background: transparent; padding: 4px 9px; border-radius: 5px; color: $text; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenu { background: $raised; border: 1px solid $line; padding: 4px; }
QMenu::item { padding: $entry 24px $entry 12px; border-radius: 4px; }
QMenu::item:selected { background: $selection; }
QMenu::item:disabled { color: $dim; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }

QToolBar#rail { background: $chrome; border: none; border-right: 1px solid $line; padding: 8px 2px;
  spacing: $rail_gap; }
QToolBar#rail QToolButton { color: $secondary; font-size: $key; border: none; border-radius: 8px; min-width: $rail;
  max-width: $rail; min-height: $rail_row; max-height: $rail_row; padding: $rail_rim 0;
  border-left: 3px solid transparent; }
QToolBar#rail QToolButton:focus { border: 2px solid $selection_line; }
QToolBar#rail QToolButton:hover { background: $hover; }
QToolBar#rail QToolButton:checked { background: $selection; color: $text; font-weight: 600;
  border-left: 3px solid $selection_line; }

QStatusBar { background: $chrome; border-top: 1px solid $line; color: $secondary; font-size: $small;
  min-height: $status; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $secondary; font-size: $small; padding: 0 8px; }

QDockWidget { background: $panel; titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget > QWidget { background: $panel; }
QWidget[bar="dock"] { background: $panel; border-bottom: 1px solid $line2; min-height: $bar; max-height: $bar; }
QWidget[bar="title"] { background: $panel; border-bottom: 1px solid $line2;
  min-height: $title_bar; max-height: $title_bar; }
QWidget[bar="tool"] { background: $panel; border-bottom: 1px solid $line2; min-height: $bar; max-height: $bar; }
QWidget[bar="foot"] { background: $panel; border-top: 1px solid $line2; }
QWidget[bar="titles"], QWidget[bar="tools"] { background: $panel; border-bottom: 1px solid $line2; }

QLabel[role="secondary"] { color: $secondary; font-size: $small; }
QLabel[role="dim"] { color: $dim; font-size: $small; }
QLabel[role="tiny"] { color: $dim; font-size: $tiny; }
QLabel[role="heading"] { font-weight: 600; font-size: $heading; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="page"] { font-weight: 600; font-size: $page; }
QLabel[role="subtitle"] { font-weight: 600; font-size: $subtitle; }
QLabel[role="warning"] { color: $warn; font-size: $small; }
QLabel[role="better"] { color: $hit; font-weight: 600; }
QLabel[role="link"] { color: $accent; font-size: $small; }
QLabel[mono="true"], QPlainTextEdit[mono="true"], QLineEdit[mono="true"] {
  font-family: "JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: $small; }
QLabel[badge] { border-radius: 4px; padding: 1px 5px; font-size: $tiny; font-weight: 500; }
QLabel[badge="hit"] { background: $hit_background; color: $hit; }
QLabel[badge="miss"] { background: $miss_background; color: $miss; }
QLabel[badge="warn"] { background: $warn_background; color: $warn; }
QLabel[badge="neutral"] { background: $raised; color: $secondary; }
QLabel[kbd="true"] { color: $dim; border: 1px solid $line; border-radius: 4px; padding: 0 4px; font-size: $key; }
QFrame[card="true"] { background: $raised; border: 1px solid $line2; border-radius: 8px; }
QFrame[card="true"][doubt="true"] { background: $warn_background; border: 1px solid $warn; }
QFrame[card="true"][chosen="true"] { border: 1px solid $accent; }
QFrame[panel="true"] { background: $panel; border: 1px solid $line; border-radius: 8px; }
QFrame[drop="true"] { background: transparent; border: 1px dashed $line; border-radius: 8px; }
QWidget[ground="panel"] { background: $panel; }
QFrame[clash="true"] { background: $warn_background; border: 1px solid $warn; border-radius: 6px; }
QFrame[inset="true"] { background: $inset; border: 1px solid $line; border-radius: 6px; }

QPushButton { background: $raised; color: $text; border: 1px solid $line; border-radius: 6px; padding: $tall 12px;
  min-height: 18px; font-weight: 500; font-size: $heading; }
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $selection; }
QPushButton:disabled { color: $dim; background: $panel; }
QPushButton[primary="true"] { background: $accent_background; border-color: $accent_background; color: $accent_text; }
QPushButton[primary="true"]:hover { border-color: $accent; }
QPushButton[primary="true"]:disabled { background: $raised; border-color: $line; color: $dim; }
QPushButton[ghost="true"] { background: transparent; border-color: transparent; color: $secondary; }
QPushButton[ghost="true"]:hover { color: $text; background: $hover; }
QPushButton[danger="true"] { color: $miss; }
QPushButton:focus { border: 2px solid $selection_line; padding: 3px 11px; }
QPushButton[primary="true"]:focus { border-color: $text; }
QPushButton[small="true"] { padding: 2px 8px; font-size: $small; min-height: 18px; }
QPushButton[small="true"]:focus { padding: 1px 7px; }
QPushButton[chip="true"] { background: $raised; border-color: $line2; border-radius: 9px; padding: 1px 9px;
  font-size: $tiny; min-height: 16px; }
QPushButton[chip="true"]:disabled, QPushButton[ghost="true"]:disabled { color: $resting; background: transparent; }
QPushButton[chip="true"]:focus { border: 2px solid $accent; padding: 0 8px; }
QPushButton[chip="true"]:checked { background: $selection; color: $accent; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px;
  color: $secondary; }
QToolButton:hover { background: $hover; color: $text; }
QToolButton:checked { background: $selection; color: $accent; }
QToolButton:focus { border: 2px solid $selection_line; padding: 3px; }
QToolButton:disabled { color: $dim; }
QToolButton[scope="true"] { font-weight: 600; color: $text; padding: 3px 4px; }
QToolButton::menu-indicator { image: none; width: 0; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
  background: $inset; color: $text; border: 1px solid $line; border-radius: 6px; padding: 3px 6px; min-height: 18px;
  selection-background-color: $accent_background; selection-color: $accent_text; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus, QTextEdit:focus {
  border: 2px solid $selection_line; padding: 2px 5px; }
QPlainTextEdit[bare="true"], QPlainTextEdit[bare="true"]:focus {
  background: transparent; border: none; padding: 4px 6px; }
QLineEdit, QPlainTextEdit, QTextEdit { placeholder-text-color: $dim; }
QLineEdit[state="error"] { border-color: $miss; }
QLineEdit:disabled, QComboBox:disabled, QSpinBox:disabled { color: $dim; background: $panel; }
QComboBox { padding: 3px 20px 3px 8px; min-height: 20px; }
QComboBox:focus { border: 2px solid $selection_line; padding: 3px 19px 3px 7px; min-height: 18px; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url("$caret"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $raised; border: 1px solid $line; selection-background-color: $selection;
  selection-color: $text; padding: 2px; }

QAbstractItemView { background: $panel; color: $text; border: 2px solid $panel; alternate-background-color: $panel; }
QAbstractItemView:focus { border-color: $selection_line; }
QAbstractItemView::item:selected { background: $selection; color: $text; }
QTreeView::item { padding: $branch 0; border: none; }
QTreeView::item:hover { background: $hover; }
QTreeView::branch { background: $panel; }
QHeaderView::section { background: $panel; color: $dim; border: none; border-bottom: 1px solid $line;
  padding: $entry 8px; font-size: $tiny; font-weight: 500; }
QTableView { gridline-color: $line2; }
QTableCornerButton::section { background: $panel; border: none; }

QTabBar { background: $panel; }
QTabBar::tab { background: $panel; color: $secondary; padding: $tab 4px 6px 4px; margin: 0 4px 0 8px; font-weight: 500;
  border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: $text; font-weight: 600; border-bottom: 2px solid $selection_line; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { border: 2px solid $selection_line; border-radius: 4px; padding: 6px 2px; }
QTabWidget::pane { border: none; border-top: 1px solid $line2; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 4px; min-height: 24px; min-width: 24px; margin: 1px; }
QScrollBar::handle:hover { background: $dim; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QScrollArea { background: $panel; border: 2px solid $panel; }
QScrollArea:focus { border-color: $selection_line; }
QScrollArea > QWidget > QWidget { background: $panel; }
QScrollArea[page="true"], QScrollArea[page="true"] > QWidget > QWidget { background: $window; border: none; }
QSplitter::handle { background: $line; }
QCheckBox, QRadioButton { spacing: 6px; border: 2px solid transparent; border-radius: 4px; }
QCheckBox:focus, QRadioButton:focus { border-color: $selection_line; }
QCheckBox::indicator, QRadioButton::indicator, QListWidget::indicator { width: $box; height: $box;
    border: 1px solid $dim; border-radius: 3px; background: $inset; }
QRadioButton::indicator { border-radius: $half; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: $accent; border-color: $accent;
    image: url("$check"); }
QRadioButton::indicator:checked { background: $inset; border: $rim solid $accent; width: $dot; height: $dot; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: $line; }
QCheckBox::indicator:checked:disabled { background: $line; }
QSlider { border: 2px solid transparent; border-radius: 4px; }
QSlider:focus { border-color: $selection_line; }
QSlider::groove:horizontal { background: $line; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent_background; border-radius: 2px; }
QSlider::handle:horizontal { background: $text; width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; }
QSlider[large="true"]::handle:horizontal { width: 16px; height: 16px; margin: -6px 0; border-radius: 8px; }
"""
