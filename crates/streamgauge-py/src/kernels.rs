//! Calls into Python without a tuple of arguments: the only module of this crate with `unsafe`.
//! `call1` makes a tuple for each call, since vectorcall is in the stable ABI only from 3.12 on.
//! Around a Python learner that does nothing, these two take 185 ns per item where `call1` takes
//! 235. `tests/adapters` compares them with a loop in Python.

#![allow(unsafe_code)]

use std::ptr::null_mut;

use pyo3::ffi::{PyObject, PyObject_CallFunctionObjArgs};
use pyo3::prelude::*;

/// `function(one)`.
#[inline]
pub(crate) fn call_one<'py>(
    function: &Bound<'py, PyAny>,
    one: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: a `Bound` holds a live object and proves that the GIL is held; the arguments are
    // borrowed for the call and end with NULL; the result is NULL with an error set, or a new owned
    // reference.
    unsafe {
        let got =
            PyObject_CallFunctionObjArgs(function.as_ptr(), one.as_ptr(), null_mut::<PyObject>());
        Bound::from_owned_ptr_or_err(function.py(), got)
    }
}

/// `function(one, two)`.
#[inline]
pub(crate) fn call_two<'py>(
    function: &Bound<'py, PyAny>,
    one: &Bound<'py, PyAny>,
    two: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: as in `call_one`.
    unsafe {
        let got = PyObject_CallFunctionObjArgs(
            function.as_ptr(),
            one.as_ptr(),
            two.as_ptr(),
            null_mut::<PyObject>(),
        );
        Bound::from_owned_ptr_or_err(function.py(), got)
    }
}
