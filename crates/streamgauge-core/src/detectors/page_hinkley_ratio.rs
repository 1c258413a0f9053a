//! Page-Hinkley on the ratio of two estimates of the error.

use super::{Detector, Estimate, PageHinkley, State, Test};
use crate::error::Result;
use crate::learners::{Reader, Writer};
use crate::parameters::Parameters;

/// Page-Hinkley on the ratio of the short-term to the long-term error: Algorithm 4 of Gama and
/// others (2013). Where the long-term error is 0, the ratio is 1: of losses that are not negative,
/// the short-term error is 0 too.
#[derive(Debug, Clone)]
pub struct PageHinkleyRatio {
    short: Estimate,
    long: Estimate,
    test: PageHinkley,
}

impl PageHinkleyRatio {
    /// The short-term estimate must forget faster than the long-term one.
    pub fn new(short: Estimate, long: Estimate, delta: f64, threshold: f64) -> Result<Self> {
        Ok(Self { short, long, test: PageHinkley::named("PageHinkleyRatio", delta, threshold)? })
    }
}

impl Detector for PageHinkleyRatio {
    fn name(&self) -> &'static str {
        "PageHinkleyRatio"
    }

    #[inline(always)]
    fn observe(&mut self, loss: f64) -> State {
        let short = self.short.push(loss);
        let long = self.long.push(loss);
        self.test.observe(if long == 0.0 { 1.0 } else { short / long })
    }

    fn last_test(&self) -> Test {
        self.test.last_test()
    }

    fn reset(&mut self) {
        self.short.reset();
        self.long.reset();
        self.test.reset();
    }

    fn after_alarm(&mut self) {}

    fn lasts(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.short.bytes() + self.long.bytes()
    }

    fn save(&self, out: &mut Writer) {
        self.short.save(out);
        self.long.save(out);
        self.test.save(out);
    }

    fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        self.short.load(from)?;
        self.long.load(from)?;
        self.test.load(from)
    }
}

/// Make the detector from its parameters and the seed of its draws.
pub(super) fn make(p: &Parameters, _: u64) -> Result<Box<dyn Detector>> {
    let estimate = |name| p.window(name).and_then(|(kind, with)| Estimate::new(kind, with));
    let (short, long) = (estimate("short")?, estimate("long")?);
    Ok(Box::new(PageHinkleyRatio::new(short, long, p.real("delta")?, p.real("threshold")?)?))
}
