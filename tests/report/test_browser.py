"""The report in a real browser, offline: Chromium, driven by Selenium through chromedriver."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from report.example_logs import a_log, a_million, independent, predictions
from streamgauge.engine import run
from streamgauge.learners import MajorityClass, NaiveBayes
from streamgauge.log.alarms import Alarms
from streamgauge.protocols import Reevaluating
from streamgauge.report import write_report
from streamgauge.streams import SEA, delay, take

pytestmark = pytest.mark.browser

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # offline
)
CURVES = "section.stream .chart svg"
TABLE = "section.stream .data:not([data-name$=' costs'], .verdicts, .property, .profile)"
"""The table of the learners; others of the section have a suffix of their name, or a class."""

VERDICTS = "section.stream [data-name$=' verdicts']"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = import_module("selenium.webdriver")
    service = import_module("selenium.webdriver.chrome.service")
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM") or _program("chromium", "google-chrome")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, service.Service(_program("chromedriver")))
    yield driver
    driver.quit()


def _program(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, f"the browser tests need {' or '.join(names)} on the PATH"
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four learners, a million items, three drifts."""
    return write_report(tmp_path_factory.mktemp("report") / "report.html", a_million())


Show = Callable[..., Any]


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Show]:
    """Open a report at a width, light or dark; afterwards take a screenshot, check the console."""

    def opened(path: Path, width: int = 1280, dark: bool = False, height: int = 1000) -> Any:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, motion]})
        browser.get(path.as_uri())
        browser.execute_script("document.querySelector('section.stream').scrollIntoView()")
        _until(lambda: len(browser.find_elements("css selector", CURVES)) >= 3)
        browser.execute_script("document.querySelector('.controls').scrollIntoView()")
        return browser

    yield opened
    browser.save_screenshot(str(tmp_path / "screen.png"))
    assert (tmp_path / "screen.png").stat().st_size > 10_000
    assert [entry for entry in browser.get_log("browser") if entry["level"] != "INFO"] == []


def _until(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


def rows(browser: Any) -> list[str]:
    return [
        cell.text.split("\n")[0].removesuffix(" baseline")
        for cell in browser.find_elements("css selector", f"{TABLE} tbody th")
    ]


def column(browser: Any, at: int) -> list[str]:
    cells = f"{TABLE} tbody tr > :nth-child({at})"
    return [c.get_attribute("data-v") for c in browser.find_elements("css selector", cells)]


def hover(browser: Any, panel: int, across: float, down: float = 0.4) -> None:
    chart = browser.find_elements("css selector", ".chart")[panel]
    actions = import_module("selenium.webdriver").ActionChains(browser)
    box = chart.rect
    x, y = round((across - 0.5) * box["width"]), round((down - 0.5) * box["height"])
    actions.move_to_element_with_offset(chart, x, y).perform()


def zoom(browser: Any, panel: int = 0) -> list[float]:
    charts = "document.querySelector('section.stream').charts"
    seen: list[float] = browser.execute_script(
        f"const z = {charts}[{panel}].getOption().dataZoom[0]; return [z.start, z.end]"
    )
    return seen


def test_it_opens_offline_with_an_empty_console(show: Show, report: Path) -> None:
    browser = show(report)
    assert browser.title == "4 learners on made up"
    assert len(browser.find_elements("css selector", ".finding")) >= 3
    assert len(browser.find_elements("css selector", CURVES)) == 4
    loaded = "return performance.getEntriesByType('resource').map(e => e.name)"
    assert [name for name in browser.execute_script(loaded) if not name.startswith("data:")] == []


def test_a_click_on_a_heading_sorts_and_another_reverses_the_order(
    show: Show, report: Path
) -> None:
    browser = show(report)
    before = rows(browser)
    assert before[0] == "naive_bayes"
    head = browser.find_element("css selector", "section.stream [data-key=accuracy]")
    head.click()
    descending = [float(v) for v in column(browser, 2)]
    assert descending == sorted(descending, reverse=True)
    head.click()
    ascending = [float(v) for v in column(browser, 2)]
    assert ascending == sorted(ascending)
    assert rows(browser) == rows(browser)[:] != before
    cell = browser.find_element("css selector", "section.stream th[aria-sort=ascending]")
    assert "accuracy" in cell.text


def test_undefined_values_are_sorted_last_in_both_orders(show: Show, report: Path) -> None:
    browser = show(report)
    head = browser.find_element("css selector", "section.stream [data-key=vs_persistent]")
    for _ in range(2):
        head.click()
        assert rows(browser)[-1] == "persistent"
        assert column(browser, 3)[-1] == "nan"


def test_dragging_zooms_all_panels_and_the_button_undoes_it(show: Show, report: Path) -> None:
    browser = show(report, height=1400)
    assert zoom(browser) == [0, 100]
    chart = browser.find_element("css selector", ".chart")
    actions = import_module("selenium.webdriver").ActionChains(browser, duration=50)
    width = chart.rect["width"]
    actions.move_to_element_with_offset(chart, round(-0.2 * width), -40).click_and_hold()
    actions.move_by_offset(round(0.1 * width), 5).move_by_offset(round(0.1 * width), 5)
    actions.release().perform()
    _until(lambda: zoom(browser)[0] > 5)
    start, end = zoom(browser)
    assert 20 < start < 40 < 45 < end < 60
    assert all(zoom(browser, panel) == [start, end] for panel in range(4))
    browser.find_element("css selector", "[data-reset]").click()
    assert zoom(browser) == [0, 100]


def test_the_slider_and_the_keys_zoom_too(show: Show, report: Path) -> None:
    browser = show(report, height=1400)
    chart = browser.find_element("css selector", ".chart")
    actions = import_module("selenium.webdriver").ActionChains(browser, duration=50)
    box = chart.rect
    handle = round(-0.5 * box["width"] + 27), round(0.5 * box["height"] - 17)
    actions.move_to_element_with_offset(chart, *handle).click_and_hold()
    actions.move_by_offset(200, 0).move_by_offset(100, 0).pause(0.2).release().perform()
    _until(lambda: zoom(browser)[0] > 10)
    keys = import_module("selenium.webdriver.common.keys").Keys
    chart.send_keys("0")
    assert zoom(browser) == [0, 100]
    chart.send_keys("+")
    assert zoom(browser) == [25, 75]
    chart.send_keys(keys.ARROW_RIGHT)
    assert zoom(browser) == [37.5, 87.5]


def test_hovering_shows_the_value_of_every_learner(show: Show, report: Path) -> None:
    browser = show(report)
    hover(browser, 0, 0.6)
    _until(lambda: bool(browser.find_elements("css selector", ".tip")))
    tip = browser.find_element("css selector", ".tip")
    assert tip.text.startswith("item ")
    lines = tip.text.split("\n")[1:]
    assert len(lines) == 6
    assert lines[0].startswith("naive_bayes ")
    values = [float(line.split()[-2]) for line in lines]
    assert values == sorted(values, reverse=True)
    assert 85 < values[0] < 97


def test_drifts_are_marked_and_named(show: Show, report: Path) -> None:
    browser = show(report)
    texts = [t.text for t in browser.find_elements("css selector", ".chart text")]
    assert texts.count("abrupt, 250k") == 1
    assert texts.count("gradual, 500k") == 1
    assert texts.count("abrupt, 750k") == 1
    marks = browser.execute_script(
        "const s = document.querySelector('section.stream').charts[0].getOption().series;"
        "const d = s.find(x => x.id === 'drifts');"
        "return [d.markLine.data.map(x => x.xAxis), d.markArea.data.map(x => x.map(y => y.xAxis))]"
    )
    assert marks == [[250_000, 500_000, 750_000], [[480_000, 520_000]]]


def test_the_keys_hide_learners_and_the_buttons_change_the_window(show: Show, report: Path) -> None:
    browser = show(report)
    names = (
        "return document.querySelector('section.stream').charts.map("
        "c => c.getOption().series.filter(s => s.name && s.id !== 'drifts').map(s => s.name))"
    )
    key = browser.find_elements("css selector", ".keys button")[1]
    assert key.text == "perceptron"
    key.click()
    assert all("perceptron" not in shown for shown in browser.execute_script(names))
    assert key.get_attribute("aria-pressed") == "false"
    key.click()
    assert all(len(shown) == 6 for shown in browser.execute_script(names))
    last = (
        "return document.querySelector('section.stream').charts[0].getOption()"
        ".series[0].data.at(-1)[1]"
    )
    sliding = browser.execute_script(last)
    browser.find_element("css selector", "[data-window=whole]").click()
    whole = browser.execute_script(last)
    assert whole != sliding
    assert whole == pytest.approx(float(column(browser, 2)[0]), abs=1e-4)


def test_verdicts_are_a_table_and_can_be_sorted(show: Show, report: Path) -> None:
    browser = show(report)
    cells = f"{VERDICTS} tbody tr"
    assert len(browser.find_elements("css selector", cells)) == 6
    heads = browser.find_element("css selector", ".verdicts thead").text
    assert "p, anytime-valid" in " ".join(heads.split())
    assert " ".join(heads.split()).count("fixed horizon only") == 2
    browser.find_element("css selector", ".verdicts [data-key=difference]").click()
    at = f"{VERDICTS} tbody tr > :nth-child(5)"
    differences = [
        float(c.get_attribute("data-v")) for c in browser.find_elements("css selector", at)
    ]
    assert differences == sorted(differences, reverse=True)


def test_bands_and_alarms_are_drawn_and_hidden_with_their_learner(
    show: Show, tmp_path: Path
) -> None:
    label = independent(5000)
    logs = [a_log(label, predictions(label, p), str(p)) for p in (0.7, 0.9)]
    signals = Alarms.of([(99, "ddm", "alarm"), (4000, "ddm", "alarm"), (4100, "ddm", "warning")])
    logs[0] = replace(logs[0], tables=replace(logs[0].tables, side_tables=(signals,)))
    browser = show(write_report(tmp_path / "bands.html", logs, bands=0.9))
    series = (
        "return document.querySelector('section.stream').charts[0].getOption().series"
        ".map(s => [s.id, s.data])"
    )
    drawn = dict(browser.execute_script(series))
    assert {"band 0", "band 1", "alarms 0"} <= set(drawn)
    assert [item for item, _ in drawn["alarms 0"]] == [100, 4001]
    tint = ".chart svg path[fill='#0072b2'][fill-opacity='0.16']"
    assert len(browser.find_elements("css selector", tint)) >= 4  # a band in each panel
    browser.find_elements("css selector", ".keys button")[0].click()
    left = dict(browser.execute_script(series))
    assert "band 1" in left
    assert not {"band 0", "alarms 0"} & set(left)
    assert browser.find_elements("css selector", tint) == []


def test_the_slider_selects_a_point_in_time_of_the_pending_section(
    show: Show, tmp_path: Path
) -> None:
    stream = delay(take(SEA(), 2000), 300)
    logs = [run(stream, one, Reevaluating()) for one in (NaiveBayes(), MajorityClass())]
    page = show(write_report(tmp_path / "late.html", logs))
    page.execute_script("document.querySelector('.pending').scrollIntoView()")
    drawn = "return document.querySelectorAll('.pending .chart svg').length"
    _until(lambda: page.execute_script(drawn) == 4)
    output = "return document.querySelector('.slider output').textContent"
    assert page.execute_script(output) == "2,000"
    line = "return document.querySelector('.pending .chart svg').innerHTML"
    before = page.execute_script(line)
    page.execute_script(
        "let s = document.querySelector('.slider input'); s.value = 3; "
        "s.dispatchEvent(new Event('input'))"
    )
    assert page.execute_script(output) == "200"
    _until(lambda: page.execute_script(line) != before)
    assert not page.get_log("browser")


def test_evidence_is_shown_on_request(show: Show, report: Path) -> None:
    browser = show(report)
    browser.execute_script("scrollTo(0, 0)")
    details = browser.find_element("css selector", ".finding details")
    assert not details.find_element("css selector", ".definition").is_displayed()
    details.find_element("css selector", "summary").click()
    assert details.find_element("css selector", "table").is_displayed()
    assert details.find_element("css selector", ".definition").is_displayed()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_it_fits_the_screen_in_light_and_dark(
    show: Show, report: Path, width: int, dark: bool
) -> None:
    browser = show(report, width, dark)
    assert browser.execute_script("return document.documentElement.scrollWidth") == width
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    red = int(paper.removeprefix("rgb(").split(",")[0])
    assert red < 60 if dark else red > 200
    lines = browser.find_elements("css selector", ".chart svg path[stroke='#4ea8e0']")
    assert bool(lines) == dark  # the curves change colour with the page
    labels = browser.execute_script(
        "const box = e => e.getBoundingClientRect();"
        "return [...document.querySelectorAll('.panel')].map(p => ["
        "box(p.querySelector('figcaption')).bottom,"
        "Math.min(...[...p.querySelectorAll('.chart text')].map(t => box(t).top))])"
    )
    assert all(caption <= text for caption, text in labels)


def test_hostile_names_do_nothing(show: Show, tmp_path: Path) -> None:
    label = independent(3000)
    name = "</script><img src=x onerror=\"document.title='owned'\"><b>"
    logs = [a_log(label, predictions(label, p), f"{name}{p}", name) for p in (0.8, 0.9)]
    browser = show(write_report(tmp_path / "hostile.html", logs))
    hover(browser, 0, 0.5)
    _until(lambda: name in (browser.find_elements("css selector", ".tip") or [_Nothing])[0].text)
    assert browser.title == f"2 learners on {name}"
    assert browser.find_elements("css selector", "img") == []


class _Nothing:
    text = ""


def test_it_prints_with_everything_open(show: Show, report: Path, tmp_path: Path) -> None:
    browser = show(report)
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    (tmp_path / "report.pdf").write_text(printed["data"])
    assert len(printed["data"]) > 50_000
    opened = "return document.querySelectorAll('main details[open]').length"
    assert browser.execute_script(opened) == 0  # closed again afterwards
