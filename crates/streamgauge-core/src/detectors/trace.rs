//! The statistic of a detector and the threshold of its alarms, loss by loss.

/// One test: the statistic and the threshold of an alarm; NaN where nothing was tested.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// The statistic.
    pub statistic: f64,
    /// The value that it must reach or pass for an alarm.
    pub threshold: f64,
}

impl Test {
    /// No test was made.
    pub const NONE: Self = Self { statistic: f64::NAN, threshold: f64::NAN };

    /// The test that is closer to an alarm, which is a statistic at or above the threshold.
    #[must_use]
    pub fn or_closer(self, other: Self) -> Self {
        let share = |test: Self| test.statistic / test.threshold;
        if share(self).is_nan() || share(other) > share(self) { other } else { self }
    }
}

/// The tests of a column of losses, one per loss.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// The statistics.
    pub statistic: Vec<f64>,
    /// The thresholds.
    pub threshold: Vec<f64>,
}

impl Trace {
    /// An empty trace with memory for this many tests.
    #[must_use]
    pub fn with_capacity(tests: usize) -> Self {
        Self { statistic: Vec::with_capacity(tests), threshold: Vec::with_capacity(tests) }
    }

    /// Add a test.
    pub fn push(&mut self, test: Test) {
        self.statistic.push(test.statistic);
        self.threshold.push(test.threshold);
    }
}
