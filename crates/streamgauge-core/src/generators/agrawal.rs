//! Agrawal: ten rules for granting a loan.

use crate::Result;
use crate::generators::balance::Balance;
use crate::generators::draws::{Draws, Role};
use crate::generators::{Generator, function, probability};

/// Nine features of a person; class 0 (group A) or 1 by one of ten functions. Numbers are perturbed
/// after the class is determined.
#[derive(Debug, Clone)]
pub struct Agrawal {
    function: usize,
    perturbation: f64,
    balance: Balance,
    draws: Draws,
}

impl Agrawal {
    /// `perturbation` is the largest change of a number, as a share of its range.
    pub fn new(which: usize, perturbation: f64, balance: bool, seed: u64) -> Result<Self> {
        Ok(Self {
            function: function("Agrawal", which, 10)?,
            perturbation: probability("Agrawal", "perturbation", perturbation)?,
            balance: Balance::new(balance),
            draws: Draws::new(seed, Role::Items),
        })
    }

    #[inline]
    fn person(&mut self) -> Person {
        let salary = 20_000.0 + 130_000.0 * self.draws.uniform();
        let commission =
            if salary >= 75_000.0 { 0.0 } else { 10_000.0 + 65_000.0 * self.draws.uniform() };
        let age = 20 + self.draws.below(61);
        let elevel = self.draws.below(5);
        let car = self.draws.below(20);
        let zipcode = self.draws.below(9);
        let hvalue = district(zipcode) * (0.5 + self.draws.uniform());
        let hyears = 1 + self.draws.below(30);
        let loan = 500_000.0 * self.draws.uniform();
        Person {
            salary,
            commission,
            age: age as f64,
            elevel,
            car,
            zipcode,
            hvalue,
            hyears: hyears as f64,
            loan,
        }
    }

    /// MOA's perturbation. Its upper limit of house values, 135,000, is below most of them; it is
    /// kept so that streams equal MOA's.
    #[inline]
    fn perturb(&mut self, p: &mut Person) {
        p.salary = self.perturbed(p.salary, 130_000.0, 20_000.0, 150_000.0);
        if p.commission > 0.0 {
            p.commission = self.perturbed(p.commission, 65_000.0, 10_000.0, 75_000.0);
        }
        p.age = (self.perturbed(p.age, 60.0, 20.0, 80.0) + 0.5).floor();
        p.hvalue = self.perturbed(p.hvalue, district(p.zipcode), 0.0, 135_000.0);
        p.hyears = (self.perturbed(p.hyears, 29.0, 1.0, 30.0) + 0.5).floor();
        p.loan = self.perturbed(p.loan, 500_000.0, 0.0, 500_000.0);
    }

    #[inline]
    fn perturbed(&mut self, value: f64, range: f64, least: f64, most: f64) -> f64 {
        let by = range * (2.0 * self.draws.uniform() - 1.0) * self.perturbation;
        (value + by).clamp(least, most)
    }
}

#[inline]
fn district(zipcode: usize) -> f64 {
    (9 - zipcode) as f64 * 100_000.0
}

struct Person {
    salary: f64,
    commission: f64,
    age: f64,
    elevel: usize,
    car: usize,
    zipcode: usize,
    hvalue: f64,
    hyears: f64,
    loan: f64,
}

impl Person {
    /// Age group: young, middle or old.
    #[inline]
    fn age_group(&self) -> usize {
        usize::from(self.age >= 40.0) + usize::from(self.age >= 60.0)
    }

    /// Whether the person is in group A.
    #[inline]
    fn in_group_a(&self, function: usize) -> bool {
        const PAY: [f64; 3] = [50_000.0, 75_000.0, 25_000.0];
        const LOAN: [(f64, f64); 3] =
            [(100_000.0, 200_000.0), (200_000.0, 300_000.0), (300_000.0, 100_000.0)];
        let age_group = self.age_group();
        let schooled = (age_group..=[1, 3, 4][age_group]).contains(&self.elevel);
        let total = self.salary + self.commission;
        let paid = |pay: f64, least: f64| (least..=least + 50_000.0).contains(&pay);
        let owes = |least: f64| (least..=least + 200_000.0).contains(&self.loan);
        let school = 5_000.0 * self.elevel as f64;
        match function {
            1 => age_group != 1,
            2 => paid(self.salary, PAY[age_group]),
            3 => schooled,
            4 => {
                let least = match (age_group, schooled) {
                    (0, true) | (2, false) => 25_000.0,
                    (1, false) => 75_000.0,
                    _ => 50_000.0,
                };
                paid(self.salary, least)
            }
            5 => {
                let (within, without) = LOAN[age_group];
                owes(if paid(self.salary, PAY[age_group]) { within } else { without })
            }
            6 => paid(total, PAY[age_group]),
            7 => 2.0 * total / 3.0 - self.loan / 5.0 - 20_000.0 > 0.0,
            8 => 2.0 * total / 3.0 - school - 20_000.0 > 0.0,
            9 => 2.0 * total / 3.0 - school - self.loan / 5.0 - 10_000.0 > 0.0,
            _ => {
                let equity = self.hvalue * (self.hyears - 20.0).max(0.0) / 10.0;
                2.0 * total / 3.0 - school + equity / 5.0 - 10_000.0 > 0.0
            }
        }
    }
}

impl Generator for Agrawal {
    type Label = i32;

    fn width(&self) -> usize {
        9
    }

    #[inline]
    fn item(&mut self, row: &mut [f64]) -> i32 {
        loop {
            let mut p = self.person();
            let label = i32::from(!p.in_group_a(self.function));
            if self.balance.accepts(label) {
                if self.perturbation > 0.0 {
                    self.perturb(&mut p);
                }
                row.copy_from_slice(&[
                    p.salary,
                    p.commission,
                    p.age,
                    p.elevel as f64,
                    p.car as f64,
                    p.zipcode as f64,
                    p.hvalue,
                    p.hyears,
                    p.loan,
                ]);
                return label;
            }
        }
    }
}
