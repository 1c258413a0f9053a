//! Conversion of the parameters of learners and detectors from and to Python dicts.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList};
use streamgauge_core::parameters::{Parameters, Value};

/// From a dict; None is an empty dict.
pub(crate) fn of_py(named: Option<&Bound<'_, PyDict>>) -> PyResult<Parameters> {
    let pair = |(name, given): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<_> {
        Ok((name.extract()?, value(&given)?))
    };
    let named = named.into_iter().flatten();
    Ok(Parameters::new(named.map(pair).collect::<PyResult<_>>()?))
}

fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(if given.is_none() {
        Value::Absent
    } else if let Ok(flag) = given.cast::<PyBool>() {
        Value::Flag(flag.is_true())
    } else if given.is_instance_of::<PyInt>() {
        Value::Whole(given.extract()?)
    } else if given.is_instance_of::<PyFloat>() {
        Value::Real(given.extract()?)
    } else if let Ok((kind, with)) = given.extract() {
        Value::Window(kind, with)
    } else if let Ok(members) = given.cast::<PyList>() {
        let member = |one: Bound<'_, PyAny>| -> PyResult<_> {
            let (name, named): (String, Bound<'_, PyDict>) = one.extract()?;
            Ok((name, of_py(Some(&named))?))
        };
        Value::Members(members.iter().map(member).collect::<PyResult<_>>()?)
    } else {
        Value::Word(given.extract()?)
    })
}

/// To a dict.
pub(crate) fn to_py<'py>(py: Python<'py>, parameters: &Parameters) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (name, value) in parameters.values() {
        match value {
            Value::Absent => named.set_item(name, py.None()),
            Value::Flag(flag) => named.set_item(name, flag),
            Value::Whole(n) => named.set_item(name, n),
            Value::Real(x) => named.set_item(name, x),
            Value::Word(word) => named.set_item(name, word),
            Value::Window(kind, with) => named.set_item(name, (kind, with)),
            Value::Members(members) => {
                let mut inside = Vec::with_capacity(members.len());
                for (member, parameters) in members {
                    inside.push((member, to_py(py, parameters)?));
                }
                named.set_item(name, inside)
            }
        }?;
    }
    Ok(named)
}
