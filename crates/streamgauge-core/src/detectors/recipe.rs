//! A detector described by name, parameters and input: what is needed to make one.

use std::fmt;

use super::{DETECTORS, DetectorWithInput, Estimate};
use crate::error::{Result, parameter};
use crate::learners::{framed, unframed};
use crate::parameters::Parameters;

/// A detector's name, parameters and seed, and what it observes.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectorRecipe {
    /// The detector's name.
    pub name: String,
    /// Its parameters. Every detector accepts `after_alarm` here; in Python only ADWIN, KSWIN and
    /// the Page-Hinkley tests have it. `reset` resets it after an alarm; `keep` (the default)
    /// leaves that to the detector.
    pub parameters: Parameters,
    /// The seed of its draws.
    pub seed: u64,
    /// The kind and parameter of the window whose mean loss it observes; None: single losses.
    pub of: Option<(String, f64)>,
}

impl DetectorRecipe {
    /// Make a detector in its initial state.
    pub fn make(&self) -> Result<DetectorWithInput> {
        let reset = match self.parameters.maybe_word("after_alarm")? {
            None | Some("keep") => false,
            Some("reset") => true,
            Some(other) => {
                return Err(parameter("detector", "after_alarm", "'keep' or 'reset'", other));
            }
        };
        let Some((_, make)) = DETECTORS.iter().find(|(name, _)| *name == self.name) else {
            return Err(parameter("detector", "name", "that of a native detector", &self.name));
        };
        let estimate = self.of.as_ref().map(|(kind, with)| Estimate::new(kind, *with));
        DetectorWithInput::new(make(&self.parameters, self.seed)?, estimate.transpose()?, reset)
    }

    /// The state of a detector made by this recipe, as the bytes of a file.
    pub fn to_bytes(&self, detector: &DetectorWithInput) -> Vec<u8> {
        framed(&self.to_string(), |out| detector.save(out))
    }

    /// A detector made by this recipe, in the state that the bytes of a file hold.
    pub fn from_bytes(&self, bytes: &[u8]) -> Result<DetectorWithInput> {
        let mut from = unframed(&self.to_string(), bytes)?;
        let mut detector = self.make()?;
        detector.load(&mut from)?;
        from.end()?;
        Ok(detector)
    }
}

/// `page_hinkley(delta=0.1, threshold=100.0) of fading(0.99), seed 0`.
impl fmt::Display for DetectorRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.parameters)?;
        if let Some((kind, with)) = &self.of {
            write!(f, " of {kind}({with:?})")?;
        }
        write!(f, ", seed {}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::DetectorRecipe;
    use crate::parameters::{Parameters, Value};

    fn recipe(name: &str, parameters: &[(&str, Value)]) -> DetectorRecipe {
        let named = |(name, value): &(&str, Value)| ((*name).to_owned(), value.clone());
        let parameters = Parameters::new(parameters.iter().map(named).collect());
        DetectorRecipe { name: name.to_owned(), parameters, seed: 1, of: None }
    }

    fn message(recipe: &DetectorRecipe) -> Option<String> {
        recipe.make().err().map(|error| error.to_string())
    }

    #[test]
    fn an_invalid_recipe_gets_an_error_that_names_the_parameter() {
        let named = |recipe: &DetectorRecipe| message(recipe).unwrap_or_default();
        let unknown = named(&recipe("oracle", &[]));
        assert!(unknown.contains("name") && unknown.contains("oracle"), "{unknown}");
        let missing = named(&recipe("page_hinkley", &[("delta", Value::Real(0.1))]));
        assert!(missing.contains("threshold"), "{missing}");
        let both = [("delta", Value::Real(0.1)), ("threshold", Value::Word("high".to_owned()))];
        let wrong = named(&recipe("page_hinkley", &both));
        assert!(wrong.contains("threshold") && wrong.contains("high"), "{wrong}");
        let p = [("p", Value::Real(0.5)), ("warm_start", Value::Whole(0))];
        let after = [&p[..], &[("after_alarm", Value::Word("again".to_owned()))]].concat();
        assert!(named(&recipe("random_alarms", &after)).contains("'keep' or 'reset'"));
        assert_eq!(message(&recipe("random_alarms", &p)), None);
    }

    #[test]
    fn a_state_is_opened_by_its_own_recipe_only() -> crate::Result<()> {
        let window = |with| Value::Window("fading".to_owned(), with);
        let of = |long| {
            let windows = [("short", window(0.9)), ("long", window(long))];
            let test = [("delta", Value::Real(0.1)), ("threshold", Value::Real(5.0))];
            recipe("page_hinkley_ratio", &[windows, test].concat())
        };
        let (one, other) = (of(0.99), of(0.999));
        let mut detector = one.make()?;
        detector.observe_many(&[0.0, 1.0, 0.0], false)?;
        let bytes = one.to_bytes(&detector);
        assert_eq!(one.to_bytes(&one.from_bytes(&bytes)?), bytes);
        assert!(other.from_bytes(&bytes).is_err());
        let shown = "page_hinkley_ratio(short=fading(0.9), long=fading(0.99), delta=0.1, \
                     threshold=5.0), seed 1";
        assert_eq!(one.to_string(), shown);
        Ok(())
    }
}
