//! Drives a Python model item by item: the loop is compiled, the model is not.
//!
//! The GIL is held throughout, since every step is a call into Python. A row is made afresh for
//! each item, because models keep the rows they are shown.

mod columns;
mod failure;
mod pending;
mod rows;

use numpy::{
    PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyString};
use streamgauge_core::NONE;

use self::columns::{Answers, Labels, line, real};
pub(crate) use self::failure::{Failure, Halt};
use self::failure::{LEARN, PREDICT, SCORE, Stop, at, stop};
pub(crate) use self::pending::{Driven, Shown};
use self::rows::{Column, Columns, Form, Rows, one};
use crate::kernels::{call_one, call_two};

/// Items between two looks for Ctrl-C: a model written in C never looks itself.
const SIGNALS: usize = 1024;

/// What a model is taught and answers.
enum Target {
    /// Classes: what stands for each code, and the code of each answer.
    Classes { own: Vec<Py<PyAny>>, codes: Py<PyDict> },
    /// Real numbers.
    Real,
}

/// Drives one model. Built by the adapters, which know its verbs and what it takes.
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
    /// `columns` (name and own values) asks for dict rows; `table` for one-row tables; otherwise
    /// a model is shown rows as arrays, or what `wrap` makes of one.
    /// `classes` are the own values in code order, `codes` tells answers apart; without them
    /// answers are real. `refuse` raises for an answer that is no class. `weight` is the name
    /// under which a weight other than 1 is handed to `learn`.
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
            _ => return Err(PyTypeError::new_err("classes and codes come together")),
        };
        let weight = PyString::intern(py, weight).unbind();
        Ok(Self { predict, learn, score, refuse, form, target, weight, from_scores })
    }

    /// Ask about each row, then teach it unless its label is missing.
    ///
    /// Gives the answers as far as it got, and None or the verb that raised and what it raised.
    #[pyo3(signature = (rows, labels, weights=None, scores=None))]
    fn test_then_train<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        labels: &Bound<'py, PyAny>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
        mut scores: Option<PyReadwriteArray2<'py, f64>>,
    ) -> PyResult<(Bound<'py, PyAny>, Stop)> {
        let mut answers = self.answers(labels.len()?);
        let known = self.labels(labels)?;
        let done = self.over(py, rows, known.len(), |i, row| {
            let out = scores.as_mut().map(|all| line(all, i)).transpose();
            let out = at(SCORE, out)?;
            self.ask(py, row, out, &mut answers)?;
            at(LEARN, self.teach(py, row, labels, &known, weights.as_ref(), i))
        })?;
        Ok((answers.into_array(py), stop(py, done)?))
    }

    /// Ask about each row.
    fn answer<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Stop)> {
        let count = rows.len()?;
        let mut answers = self.answers(count);
        let done = self.over(py, rows, count, |_, row| self.ask(py, row, None, &mut answers))?;
        Ok((answers.into_array(py), stop(py, done)?))
    }

    /// One number a class for each row, into `out`. Gives how many rows it got through.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        mut out: PyReadwriteArray2<'py, f64>,
    ) -> PyResult<(usize, Stop)> {
        let mut got = 0;
        let done = self.over(py, rows, rows.len()?, |i, row| {
            at(SCORE, line(&mut out, i).and_then(|out| self.judge(py, row, out)))?;
            got = i + 1;
            Ok(())
        })?;
        Ok((got, stop(py, done)?))
    }

    /// Teach each row whose label is not missing. Gives how many rows it got through.
    #[pyo3(signature = (rows, labels, weights=None))]
    fn learn<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        labels: &Bound<'py, PyAny>,
        weights: Option<PyReadonlyArray1<'py, f64>>,
    ) -> PyResult<(usize, Stop)> {
        let known = self.labels(labels)?;
        let mut got = 0;
        let done = self.over(py, rows, known.len(), |i, row| {
            at(LEARN, self.teach(py, row, labels, &known, weights.as_ref(), i))?;
            got = i + 1;
            Ok(())
        })?;
        Ok((got, stop(py, done)?))
    }
}

impl Driver {
    /// Is the model shown tables of one row?
    pub(crate) fn takes_tables(&self) -> bool {
        matches!(self.form, Form::Table)
    }

    /// Room for the answers to `count` items.
    fn answers(&self, count: usize) -> Answers {
        match self.target {
            Target::Classes { .. } => Answers::Codes(Vec::with_capacity(count)),
            Target::Real => Answers::Reals(Vec::with_capacity(count)),
        }
    }

    fn labels<'py>(&self, labels: &Bound<'py, PyAny>) -> PyResult<Labels<'py>> {
        Ok(match self.target {
            Target::Classes { .. } => Labels::Codes(labels.extract()?),
            Target::Real => Labels::Reals(labels.extract()?),
        })
    }

    /// Do `each` for the first `count` rows, until it fails.
    fn over<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyAny>,
        count: usize,
        mut each: impl FnMut(usize, &Bound<'py, PyAny>) -> Result<(), Failure>,
    ) -> PyResult<Result<(), Failure>> {
        if rows.len()? != count {
            let message = format!("{count} labels for {} rows", rows.len()?);
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
                let (want, got) = (columns.len(), table.shape()[1]);
                return Err(PyValueError::new_err(format!("{got} cells for {want} features")));
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

    /// Ask for an answer, and for scores where there is room for them.
    #[inline]
    fn ask<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        scores: Option<&mut [f64]>,
        answers: &mut Answers,
    ) -> Result<(), Failure> {
        if let Some(out) = scores {
            let best = at(SCORE, self.judge(py, row, out))?;
            if let (true, Answers::Codes(codes)) = (self.from_scores, &mut *answers) {
                codes.push(best);
                return Ok(());
            }
        }
        match answers {
            Answers::Codes(answers) => answers.push(at(PREDICT, self.class_said(py, row))?),
            Answers::Reals(answers) => answers.push(at(PREDICT, self.real_said(py, row))?),
        }
        Ok(())
    }

    /// The code of the class it says a row is of.
    #[inline]
    pub(crate) fn class_said<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
    ) -> PyResult<i32> {
        let said = self.said(py, row)?;
        match &self.target {
            Target::Classes { own, codes } => self.code(py, own, codes, &said),
            Target::Real => Err(PyTypeError::new_err("the model answers real numbers")),
        }
    }

    /// The number it says of a row.
    #[inline]
    pub(crate) fn real_said<'py>(&self, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<f64> {
        real(&self.said(py, row)?)
    }

    #[inline]
    fn said<'py>(&self, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let said = call_one(self.predict.bind(py), row)?;
        match self.form {
            Form::Table => said.get_item(0),
            _ => Ok(said),
        }
    }

    /// The code of an answer. Most answers are the very objects the model was taught.
    #[inline]
    fn code(
        &self,
        py: Python<'_>,
        own: &[Py<PyAny>],
        codes: &Py<PyDict>,
        said: &Bound<'_, PyAny>,
    ) -> PyResult<i32> {
        if said.is_none() {
            return Ok(NONE);
        }
        let taught = own.iter().take(4).position(|class| class.is(said));
        if let Some(code) = taught {
            return Ok(code as i32);
        }
        match codes.bind(py).get_item(said) {
            Ok(Some(code)) => code.extract(),
            // An answer that cannot be hashed is no class either.
            Ok(None) => self.refused(py, said),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => self.refused(py, said),
            Err(error) => Err(error),
        }
    }

    /// The adapter's sentence about an answer that is no class.
    fn refused(&self, py: Python<'_>, said: &Bound<'_, PyAny>) -> PyResult<i32> {
        self.refuse.bind(py).call1((said,))?;
        Err(PyValueError::new_err("refuse did not raise"))
    }

    /// Scores of a row into `out`, in class order, all NaN where there are none yet. Gives the
    /// class with the highest score, the first one named if several have it.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        out: &mut [f64],
    ) -> PyResult<i32> {
        let (Some(score), Target::Classes { own, codes }) = (&self.score, &self.target) else {
            return Err(PyTypeError::new_err("the model gives no scores"));
        };
        let said = call_one(score.bind(py), row)?;
        let said = if matches!(self.form, Form::Table) { said.get_item(0)? } else { said };
        out.fill(f64::NAN);
        if said.is_none() {
            return Ok(NONE);
        }
        let mut best: Option<(i32, f64)> = None;
        let mut put = |code: i32, score: f64, out: &mut [f64]| {
            if let Some(place) = usize::try_from(code).ok().and_then(|code| out.get_mut(code)) {
                *place = score;
                // Not `>=`, and not false for a NaN that came first: just as Python's max does.
                if best.is_none_or(|(_, highest)| score > highest) {
                    best = Some((code, score));
                }
            }
        };
        if let Ok(scores) = said.cast::<PyDict>() {
            if scores.is_empty() {
                return Ok(NONE);
            }
            out.fill(0.0);
            for (class, score) in scores.iter() {
                put(self.code(py, own, codes, &class)?, score.extract()?, out);
            }
        } else {
            let scores: Vec<f64> = said
                .try_iter()?
                .map(|score| score.and_then(|score| score.extract()))
                .collect::<PyResult<_>>()?;
            if scores.len() != out.len() {
                let (want, got) = (out.len(), scores.len());
                let message = format!("scores must be {want} numbers, one a class, got {got}");
                return Err(PyValueError::new_err(message));
            }
            for (code, score) in scores.into_iter().enumerate() {
                put(code as i32, score, out);
            }
        }
        Ok(best.map_or(NONE, |(code, _)| code))
    }

    /// Teach a row its label, unless that is missing.
    #[inline]
    fn teach<'py>(
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
        self.tell(py, row, &label, weight)
    }

    /// What stands for a class code when the model is taught; None for a missing label.
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

    /// Teach a row this very label.
    #[inline]
    fn tell<'py>(
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
        let words = PyDict::new(py);
        let name = self.weight.bind(py);
        if matches!(self.form, Form::Table) {
            words.set_item(name, PyArray1::from_slice(py, &[weight]))?;
        } else {
            words.set_item(name, weight)?;
        }
        learn.call((row, label), Some(&words))?;
        Ok(())
    }
}

/// A real label as Python has it; None for a missing one.
#[inline]
pub(crate) fn number(py: Python<'_>, label: f64) -> Option<Bound<'_, PyAny>> {
    (!label.is_nan()).then(|| PyFloat::new(py, label).into_any())
}
