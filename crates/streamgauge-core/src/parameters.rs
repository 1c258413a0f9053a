//! Named parameters of learners and detectors.

use std::fmt;

use crate::error::{Error, Result, parameter};

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Not given.
    Absent,
    /// True or false.
    Flag(bool),
    /// A count.
    Whole(u64),
    /// A real number.
    Real(f64),
    /// One of several names.
    Word(String),
    /// The kind and the parameter of a window.
    Window(String, f64),
    /// Names with their parameters: of the learner and the transformers inside a learner.
    Members(Vec<(String, Parameters)>),
}

/// The parameters of a learner or a detector, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(Vec<(String, Value)>);

impl Parameters {
    /// Parameters from names and values.
    pub fn new(values: Vec<(String, Value)>) -> Self {
        Self(values)
    }

    /// All names and values.
    pub fn values(&self) -> &[(String, Value)] {
        &self.0
    }

    fn get(&self, name: &'static str) -> &Value {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or(&Value::Absent, |(_, value)| value)
    }

    /// A real number.
    pub fn real(&self, name: &'static str) -> Result<f64> {
        self.maybe_real(name)?.ok_or_else(|| missing(name))
    }

    /// A number, if it is given.
    pub fn maybe_real(&self, name: &'static str) -> Result<Option<f64>> {
        match self.get(name) {
            Value::Absent => Ok(None),
            Value::Real(x) => Ok(Some(*x)),
            Value::Whole(n) => Ok(Some(*n as f64)),
            other => Err(parameter("parameters", name, "a number", other)),
        }
    }

    /// A count.
    pub fn whole(&self, name: &'static str) -> Result<usize> {
        self.maybe_whole(name)?.ok_or_else(|| missing(name))
    }

    /// A count of things that are not held in memory.
    pub fn count(&self, name: &'static str) -> Result<u64> {
        self.whole(name).map(|count| count as u64)
    }

    /// A count, if it is given.
    pub fn maybe_whole(&self, name: &'static str) -> Result<Option<usize>> {
        match self.get(name) {
            Value::Absent => Ok(None),
            Value::Whole(n) => Ok(Some(*n as usize)),
            other => Err(parameter("parameters", name, "a whole number", other)),
        }
    }

    /// True or false.
    pub fn flag(&self, name: &'static str) -> Result<bool> {
        match self.get(name) {
            Value::Flag(flag) => Ok(*flag),
            other => Err(parameter("parameters", name, "true or false", other)),
        }
    }

    /// One of several names.
    pub fn word(&self, name: &'static str) -> Result<&str> {
        self.maybe_word(name)?.ok_or_else(|| missing(name))
    }

    /// One of several names, if it is given.
    pub fn maybe_word(&self, name: &'static str) -> Result<Option<&str>> {
        match self.get(name) {
            Value::Absent => Ok(None),
            Value::Word(word) => Ok(Some(word)),
            other => Err(parameter("parameters", name, "a name", other)),
        }
    }

    /// Names with their parameters.
    pub fn members(&self, name: &'static str) -> Result<&[(String, Self)]> {
        match self.get(name) {
            Value::Members(members) => Ok(members),
            other => Err(parameter("parameters", name, "names with parameters", other)),
        }
    }

    /// The kind and the parameter of a window.
    pub fn window(&self, name: &'static str) -> Result<(&str, f64)> {
        match self.get(name) {
            Value::Window(kind, with) => Ok((kind, *with)),
            other => Err(parameter("parameters", name, "a window", other)),
        }
    }
}

fn missing(name: &'static str) -> Error {
    parameter("parameters", name, "given", "nothing")
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("None"),
            Self::Flag(flag) => flag.fmt(f),
            Self::Whole(n) => n.fmt(f),
            Self::Real(x) => fmt::Debug::fmt(x, f),
            Self::Word(word) => word.fmt(f),
            Self::Window(kind, with) => write!(f, "{kind}({with:?})"),
            Self::Members(members) => {
                f.write_str("[")?;
                for (i, (name, parameters)) in members.iter().enumerate() {
                    write!(f, "{}{name}({parameters})", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

/// `learning_rate=1.0, standardise=true`.
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.values().iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Parameters, Value};
    use crate::error::Result;

    /// One parameter of each kind, named after its kind, and its text form.
    fn all() -> (Parameters, [(&'static str, &'static str); 7]) {
        let window = Value::Window("sliding".to_owned(), 7.0);
        let inside = Parameters::new(vec![("k".to_owned(), Value::Whole(5))]);
        let members = vec![("nb".to_owned(), Parameters::default()), ("knn".to_owned(), inside)];
        let values = [
            ("absent", Value::Absent, "None"),
            ("flag", Value::Flag(true), "true"),
            ("whole", Value::Whole(3), "3"),
            ("real", Value::Real(2.0), "2.0"),
            ("word", Value::Word("gini".to_owned()), "gini"),
            ("window", window, "sliding(7.0)"),
            ("members", Value::Members(members), "[nb(), knn(k=5)]"),
        ];
        let named = values.clone().map(|(name, value, _)| (name.to_owned(), value));
        (Parameters::new(named.to_vec()), values.map(|(name, _, written)| (name, written)))
    }

    #[test]
    fn readers_accept_their_own_kinds_and_refuse_others_by_name() {
        type Read = fn(&Parameters, &'static str) -> Result<String>;
        type Taken = [(&'static str, &'static str)];
        let readers: [(Read, &str, &Taken); 10] = [
            (
                |p, n| p.real(n).map(|x| format!("{x:?}")),
                "a number",
                &[("whole", "3.0"), ("real", "2.0")],
            ),
            (
                |p, n| p.maybe_real(n).map(|x| format!("{x:?}")),
                "a number",
                &[("absent", "None"), ("whole", "Some(3.0)"), ("real", "Some(2.0)")],
            ),
            (|p, n| p.whole(n).map(|x| x.to_string()), "a whole number", &[("whole", "3")]),
            (|p, n| p.count(n).map(|x| x.to_string()), "a whole number", &[("whole", "3")]),
            (
                |p, n| p.maybe_whole(n).map(|x| format!("{x:?}")),
                "a whole number",
                &[("absent", "None"), ("whole", "Some(3)")],
            ),
            (|p, n| p.flag(n).map(|x| x.to_string()), "true or false", &[("flag", "true")]),
            (|p, n| p.word(n).map(str::to_owned), "a name", &[("word", "gini")]),
            (
                |p, n| p.maybe_word(n).map(|x| format!("{x:?}")),
                "a name",
                &[("absent", "None"), ("word", "Some(\"gini\")")],
            ),
            (
                |p, n| p.window(n).map(|x| format!("{x:?}")),
                "a window",
                &[("window", "(\"sliding\", 7.0)")],
            ),
            (
                |p, n| p.members(n).map(|x| x.len().to_string()),
                "names with parameters",
                &[("members", "2")],
            ),
        ];
        let (parameters, kinds) = all();
        for (read, must, taken) in readers {
            let needed = ["a number", "a whole number", "a name"].contains(&must);
            for (kind, written) in kinds {
                let found = read(&parameters, kind).map_err(|error| error.to_string());
                let expected = match taken.iter().find(|(name, _)| *name == kind) {
                    Some((_, value)) => Ok((*value).to_owned()),
                    None if kind == "absent" && needed => {
                        Err("parameters: absent must be given, got nothing".to_owned())
                    }
                    None => Err(format!("parameters: {kind} must be {must}, got {written}")),
                };
                assert_eq!(found, expected);
            }
            // A parameter that was not given is absent.
            assert_eq!(
                read(&parameters, "none").map_err(|error| error.to_string()),
                read(&parameters, "absent")
                    .map_err(|error| error.to_string().replace("absent", "none"))
            );
        }
    }

    #[test]
    fn parameters_are_displayed_as_given() {
        let (parameters, kinds) = all();
        let each: Vec<_> =
            kinds.iter().map(|(name, written)| format!("{name}={written}")).collect();
        assert_eq!(parameters.to_string(), each.join(", "));
        assert_eq!(Parameters::default().to_string(), "");
    }
}
