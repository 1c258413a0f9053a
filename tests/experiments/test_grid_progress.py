"""What the progress of a grid says about cells that run, that died and that are finished."""

from pathlib import Path

import pytest

from streamgauge.errors import CellError
from streamgauge.experiments import Spec, _grid_progress, run_experiment
from streamgauge.experiments._grid_progress import GridProgress

HERE = Path(__file__).parent


def test_a_cell_that_has_stopped_is_not_listed_and_no_time_is_predicted_while_nothing_runs():
    progress = GridProgress(3, quiet=True)
    progress.of("a", "nb on sea")(0, None)
    assert progress.words().endswith("; now nb on sea")
    progress.of("a", "nb on sea")(500, 1000)
    assert progress.words().endswith("; now nb on sea (50 %, 500 items)")
    progress.finished("a")
    progress.of("b", "knn on sea")(10, None)
    assert " s left; now knn on sea (10 items)" in progress.words()
    progress.stopped("b")
    assert progress.words().startswith("1 of 3 cells (33 %)")
    assert "left" not in progress.words()
    assert "now" not in progress.words()


@pytest.fixture
def shown(monkeypatch):
    """Every text of the progress, as it was made."""
    texts = []

    class Recorder:
        def __call__(self, words, share):
            texts.append(words())

        def close(self):
            pass

    monkeypatch.setattr(_grid_progress, "display", Recorder)
    monkeypatch.syspath_prepend(str(HERE))
    return texts


def test_a_cell_whose_process_died_is_not_shown_as_running(tmp_path, shown):
    spec = Spec(streams=["sea(items=300)"], learners=["own_learners:Killing", "own_learners:Slow"])
    with pytest.raises(CellError, match="signal 9"):
        run_experiment(spec, tmp_path, executor="processes(workers=2)", retries=0, progress=True)
    after = [text for text in shown if text.startswith("1 of 2 cells")]
    assert after
    assert not any("Killing" in text for text in after)
    assert any("Slow on sea(items=300) (" in text and "(0 %" not in text for text in shown)
