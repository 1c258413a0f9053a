//! Drives a Python model item by item in a compiled loop.
//! The GIL is held throughout, since every step is a call into Python. Each item gets a new row
//! object, because models keep the rows they get.

mod columns;
mod failure;
mod item_learner;
mod rows;

use numpy::{
    PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyString};
use streamgauge_core::NONE;

use self::columns::{Labels, Predictions, line, real};
pub(crate) use self::failure::{Failure, Halt};
use self::failure::{LEARN, PREDICT, SCORE, Stop, at, stop};
pub(crate) use self::item_learner::{CachedRow, ItemLearner};
use self::rows::{Column, Columns, Form, Rows, one};
use crate::kernels::{call_one, call_two};

/// Predictions or items between two checks for Ctrl-C, which a model written in C does not make.
const SIGNALS: usize = 1024;

/// The target of a model.
enum Target {
    /// Classes: the value of each code, and the code of each value.
    Classes { own: Vec<Py<PyAny>>, codes: Py<PyDict> },
    /// Real numbers.
    Real,
}

/// Drives one model. Built by the adapters, which know its methods and its input format.
#[pyclass(frozen, module = "streamgauge._core")]
pub(crate) struct Driver {
    predict: Py<PyAny>,
    learn: Py<PyAny>,
    score: Option<Py<PyAny>>,
    refuse: Py<PyAny>,
    form: Form,
    target: Target,
    weight: Py<PyString>,
    from_scores: bool,
}

#[pymethods]
impl Driver {
    /// With `columns` (name and nominal values) a model gets rows as dicts, with `table` as tables
    /// of one row, otherwise as arrays or as the result of `wrap`. `classes` are the class values
    /// in code order and `codes` their codes; without them predictions are real. `refuse` raises
    /// for a prediction that is not a class. `weight` is the keyword with which a weight other than
    /// 1 is passed to `learn`. `from_scores`: the prediction is the class with the highest score.
    #[new]
    #[pyo3(signature = (predict, learn, refuse, *, score=None, columns=None, table=false, wrap=None,
                        classes=None, codes=None, weight="weight", from_scores=false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python constructor")]
    fn new(
        py: Python<'_>,
        predict: Py<PyAny>,
        learn: Py<PyAny>,
        refuse: Py<PyAny>,
        score: Option<Py<PyAny>>,
        columns: Option<Columns>,
        table: bool,
        wrap: Option<Py<PyAny>>,
        classes: Option<Vec<Py<PyAny>>>,
        codes: Option<Py<PyDict>>,
        weight: &str,
        from_scores: bool,
    ) -> PyResult<Self> {
        let form = match (columns, table) {
            (Some(columns), _) => {
                let template = PyDict::new(py);
                let mut named = Vec::with_capacity(columns.len());
                for (name, values) in columns {
                    let name = PyString::intern(py, &name);
                    template.set_item(&name, py.None())?;
                    named.push(Column { name: name.unbind(), values });
                }
                Form::Named { template: template.unbind(), columns: named }
            }
            (None, true) => Form::Table,
            (None, false) => Form::Row { wrap },
        };
        let target = match (classes, codes) {
            (Some(own), Some(codes)) => Target::Classes { own, codes },
            (None, None) => Target::Real,
            _ => return Err(PyTypeError::new_err("classes and codes must be given together")),
        };
        let weight = PyString::intern(py, weight).unbind();
        Ok(Self { predict, learn, score, refuse, form, target, weight, from_scores })
    }

    /// Predict each row, then learn it unless its label is missing.
    ///
    /// Returns the predictions up to a failure, and None or the verb that raised and the exception.
    #[pyo3(signature = (rows, labels, weights=None, scores=None))]
    fn test_then_train<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        labels: &Bound<'py, PyAny>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
        mut scores: Option<PyReadwriteArray2<'py, f64>>,
    ) -> PyResult<(Bound<'py, PyAny>, Stop)> {
        let mut predictions = self.predictions(labels.len()?);
        let known = self.labels(labels)?;
        let done = self.over(py, rows, known.len(), |i, row| {
            let out = scores.as_mut().map(|all| line(all, i)).transpose();
            let out = at(SCORE, out)?;
            self.predict_row(py, row, out, &mut predictions)?;
            at(LEARN, self.learn_labelled(py, row, labels, &known, weights.as_ref(), i))
        })?;
        Ok((predictions.into_array(py), stop(py, done)?))
    }

    /// `rows` has two per item: predict the first, then learn the second unless the label is
    /// missing. Returns as `test_then_train`.
    #[pyo3(signature = (rows, labels, weights=None, scores=None))]
    fn test_then_train_pairs<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        labels: &Bound<'py, PyAny>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
        mut scores: Option<PyReadwriteArray2<'py, f64>>,
    ) -> PyResult<(Bound<'py, PyAny>, Stop)> {
        let mut predictions = self.predictions(labels.len()?);
        let known = self.labels(labels)?;
        let done = self.over(py, rows, 2 * known.len(), |i, row| {
            if i % 2 == 1 {
                return at(
                    LEARN,
                    self.learn_labelled(py, row, labels, &known, weights.as_ref(), i / 2),
                );
            }
            let out = scores.as_mut().map(|all| line(all, i / 2)).transpose();
            self.predict_row(py, row, at(SCORE, out)?, &mut predictions)
        })?;
        Ok((predictions.into_array(py), stop(py, done)?))
    }

    /// Predict each row.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Stop)> {
        let count = rows.len()?;
        let mut predictions = self.predictions(count);
        let done =
            self.over(py, rows, count, |_, row| self.predict_row(py, row, None, &mut predictions))?;
        Ok((predictions.into_array(py), stop(py, done)?))
    }

    /// Write one score per class for each row to `out`. Returns the number of rows done.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        mut out: PyReadwriteArray2<'py, f64>,
    ) -> PyResult<(usize, Stop)> {
        let mut rows_done = 0;
        let done = self.over(py, rows, rows.len()?, |i, row| {
            at(SCORE, line(&mut out, i).and_then(|out| self.score_row(py, row, out)))?;
            rows_done = i + 1;
            Ok(())
        })?;
        Ok((rows_done, stop(py, done)?))
    }

    /// Learn each row whose label is not missing. Returns the number of rows done.
    #[pyo3(signature = (rows, labels, weights=None))]
    fn learn<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        labels: &Bound<'py, PyAny>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<(usize, Stop)> {
        let known = self.labels(labels)?;
        let mut rows_done = 0;
        let done = self.over(py, rows, known.len(), |i, row| {
            at(LEARN, self.learn_labelled(py, row, labels, &known, weights.as_ref(), i))?;
            rows_done = i + 1;
            Ok(())
        })?;
        Ok((rows_done, stop(py, done)?))
    }
}

impl Driver {
    /// Whether the model gets tables of one row.
    pub(crate) fn takes_tables(&self) -> bool {
        matches!(self.form, Form::Table)
    }

    /// An empty column with capacity for `count` predictions.
    fn predictions(&self, count: usize) -> Predictions {
        match self.target {
            Target::Classes { .. } => Predictions::Codes(Vec::with_capacity(count)),
            Target::Real => Predictions::Reals(Vec::with_capacity(count)),
        }
    }

    fn labels<'py>(&self, labels: &Bound<'py, PyAny>) -> PyResult<Labels<'py>> {
        Ok(match self.target {
            Target::Classes { .. } => Labels::Codes(labels.extract()?),
            Target::Real => Labels::Reals(labels.extract()?),
        })
    }

    /// Call `each` for every row, of which there must be `count`, until it fails.
    fn over<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        count: usize,
        mut each: impl FnMut(usize, &Bound<'py, PyAny>) -> Result<(), Failure>,
    ) -> PyResult<Result<(), Failure>> {
        if rows.len()? != count {
            let message = format!("rows must be {count}, one per label, got {}", rows.len()?);
            return Err(PyValueError::new_err(message));
        }
        let table: PyReadonlyArray2<'py, f64> = rows.extract()?;
        let template;
        let mut rows = match &self.form {
            Form::Named { template: names, columns } if columns.len() == table.shape()[1] => {
                template = names.bind(py);
                Rows::Named { template, columns, cells: table.as_slice()? }
            }
            Form::Named { columns, .. } => {
                let (expected, got) = (columns.len(), table.shape()[1]);
                return Err(PyValueError::new_err(format!(
                    "rows must have {expected} cells, got {got}"
                )));
            }
            Form::Row { wrap } => Rows::Row { rows: rows.try_iter()?, wrap },
            Form::Table => Rows::Table { rows, next: 0 },
        };
        for i in 0..count {
            if i % SIGNALS == SIGNALS - 1 {
                py.check_signals()?;
            }
            if let Err(failure) = rows.next(py).map(|row| each(i, &row))? {
                return Ok(Err(failure));
            }
        }
        Ok(Ok(()))
    }

    /// Predict a row, with scores if `scores` is given.
    #[inline]
    fn predict_row<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        scores: Option<&mut [f64]>,
        predictions: &mut Predictions,
    ) -> Result<(), Failure> {
        if let Some(out) = scores {
            let best = at(SCORE, self.score_row(py, row, out))?;
            if let (true, Predictions::Codes(codes)) = (self.from_scores, &mut *predictions) {
                codes.push(best);
                return Ok(());
            }
        }
        match predictions {
            Predictions::Codes(predictions) => {
                predictions.push(at(PREDICT, self.predict_class(py, row))?);
            }
            Predictions::Reals(predictions) => {
                predictions.push(at(PREDICT, self.predict_real(py, row))?);
            }
        }
        Ok(())
    }

    /// The code of the predicted class.
    #[inline]
    pub(crate) fn predict_class<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<i32> {
        let prediction = self.raw_prediction(py, row)?;
        match &self.target {
            Target::Classes { own, codes } => self.code(py, own, codes, &prediction),
            Target::Real => Err(PyTypeError::new_err("the model predicts real numbers")),
        }
    }

    /// The predicted number.
    #[inline]
    pub(crate) fn predict_real<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<f64> {
        real(&self.raw_prediction(py, row)?)
    }

    #[inline]
    fn raw_prediction<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let prediction = call_one(self.predict.bind(py), row)?;
        match self.form {
            Form::Table => prediction.get_item(0),
            _ => Ok(prediction),
        }
    }

    /// The code of a predicted class. Most are identical to the objects the model has learned.
    #[inline]
    fn code(
        &self,
        py: Python<'_>,
        own: &[Py<PyAny>],
        codes: &Py<PyDict>,
        prediction: &Bound<'_, PyAny>,
    ) -> PyResult<i32> {
        if prediction.is_none() {
            return Ok(NONE);
        }
        let known = own.iter().take(4).position(|class| class.is(prediction));
        if let Some(code) = known {
            return Ok(code as i32);
        }
        match codes.bind(py).get_item(prediction) {
            Ok(Some(code)) => code.extract(),
            // A prediction that cannot be hashed is not a class either.
            Ok(None) => self.refused(py, prediction),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => self.refused(py, prediction),
            Err(error) => Err(error),
        }
    }

    /// Raise the adapter's error for a prediction that is not a class.
    fn refused(&self, py: Python<'_>, prediction: &Bound<'_, PyAny>) -> PyResult<i32> {
        self.refuse.bind(py).call1((prediction,))?;
        Err(PyValueError::new_err("refuse did not raise"))
    }

    /// Write the scores of a row to `out`, in class order, NaN if there are none yet. Returns the
    /// class with the highest score; ties go to the first.
    fn score_row<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        out: &mut [f64],
    ) -> PyResult<i32> {
        let (Some(score), Target::Classes { own, codes }) = (&self.score, &self.target) else {
            return Err(PyTypeError::new_err("the model gives no scores"));
        };
        let scores = call_one(score.bind(py), row)?;
        let scores = if matches!(self.form, Form::Table) { scores.get_item(0)? } else { scores };
        out.fill(f64::NAN);
        if scores.is_none() {
            return Ok(NONE);
        }
        let mut best: Option<(i32, f64)> = None;
        let mut put = |code: i32, score: f64, out: &mut [f64]| {
            if let Some(place) = usize::try_from(code).ok().and_then(|code| out.get_mut(code)) {
                *place = score;
                // As Python's max: not `>=`, and a NaN that is first stays.
                if best.is_none_or(|(_, highest)| score > highest) {
                    best = Some((code, score));
                }
            }
        };
        if let Ok(scores) = scores.cast::<PyDict>() {
            if scores.is_empty() {
                return Ok(NONE);
            }
            out.fill(0.0);
            for (class, score) in scores.iter() {
                put(self.code(py, own, codes, &class)?, score.extract()?, out);
            }
        } else {
            let scores: Vec<f64> = scores
                .try_iter()?
                .map(|score| score.and_then(|score| score.extract()))
                .collect::<PyResult<_>>()?;
            if scores.len() != out.len() {
                let (expected, got) = (out.len(), scores.len());
                let message =
                    format!("scores must be {expected} numbers, one per class, got {got}");
                return Err(PyValueError::new_err(message));
            }
            for (code, score) in scores.into_iter().enumerate() {
                put(code as i32, score, out);
            }
        }
        refuse_impossible(out)?;
        Ok(best.map_or(NONE, |(code, _)| code))
    }

    /// Learn a row unless its label is missing.
    #[inline]
    fn learn_labelled<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        labels: &Bound<'py, PyAny>,
        known: &Labels<'py>,
        weights: Option<&PyReadonlyArray1<'py, f64>>,
        i: usize,
    ) -> PyResult<()> {
        let label = match known {
            Labels::Codes(codes) => self.class(py, codes.get(i).copied().unwrap_or(NONE))?,
            Labels::Reals(reals) => number(py, reals.get(i).copied().unwrap_or(f64::NAN)),
        };
        let Some(label) = label else { return Ok(()) };
        let label = if matches!(self.form, Form::Table) { one(labels, i)? } else { label };
        let weight = weights.and_then(|weights| weights.get(i).copied()).unwrap_or(1.0);
        self.learn_row(py, row, &label, weight)
    }

    /// The class value of a code; None for a missing label.
    #[inline]
    pub(crate) fn class<'py>(
        &self,
        py: Python<'py>,
        code: i32,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Target::Classes { own, .. } = &self.target else { return Ok(None) };
        if code == NONE {
            return Ok(None);
        }
        let class = usize::try_from(code).ok().and_then(|code| own.get(code));
        let class = class.ok_or_else(|| {
            let top = own.len().saturating_sub(1);
            let message = format!("label must be from 0 to {top}, got {code}");
            PyValueError::new_err(message)
        })?;
        Ok(Some(class.bind(py).clone()))
    }

    /// Learn a row with a label; of weight 0 it is not learned at all, as by native learners.
    #[inline]
    fn learn_row<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        label: &Bound<'py, PyAny>,
        weight: f64,
    ) -> PyResult<()> {
        let learn = self.learn.bind(py);
        if weight == 1.0 {
            call_two(learn, row, label)?;
            return Ok(());
        }
        if weight == 0.0 {
            return Ok(());
        }
        let keywords = PyDict::new(py);
        let name = self.weight.bind(py);
        if matches!(self.form, Form::Table) {
            keywords.set_item(name, PyArray1::from_slice(py, &[weight]))?;
        } else {
            keywords.set_item(name, weight)?;
        }
        learn.call((row, label), Some(&keywords))?;
        Ok(())
    }
}

/// Scores may exceed 1 by rounding; the engine allows the same in Python.
const ROUNDING: f64 = 1e-6;

/// Raise unless all scores are from 0 to 1, or all NaN, which means that there are none.
#[inline]
fn refuse_impossible(scores: &[f64]) -> PyResult<()> {
    let possible = |score: &f64| (0.0..=1.0 + ROUNDING).contains(score);
    if scores.iter().all(possible) || scores.iter().all(|score| score.is_nan()) {
        return Ok(());
    }
    let wrong = scores.iter().find(|score| !possible(score)).copied().unwrap_or(f64::NAN);
    let message = format!("scores must be from 0 to 1, or all NaN for none, got {wrong}");
    Err(PyValueError::new_err(message))
}

/// A real label as a Python float; None for a missing one.
#[inline]
pub(crate) fn number(py: Python<'_>, label: f64) -> Option<Bound<'_, PyAny>> {
    (!label.is_nan()).then(|| PyFloat::new(py, label).into_any())
}
