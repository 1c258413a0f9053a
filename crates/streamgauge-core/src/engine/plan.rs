//! Conversion of events to orders.

use super::{Event, Events, Kind, Op, Schedule};
use crate::error::Result;

/// Orders as columns.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The operation.
    pub op: Vec<u8>,
    /// The item.
    pub item: Vec<u64>,
    /// Index of each prediction of the item.
    pub turn: Vec<u32>,
    /// The kind of prediction.
    pub kind: Vec<u8>,
    /// The time.
    pub time: Vec<i64>,
    /// The index of the event it results from.
    pub event: Vec<u32>,
}

impl Plan {
    fn push(&mut self, op: Op, item: u64, turn: u32, kind: Kind, time: i64, event: usize) {
        self.op.push(op as u8);
        self.item.push(item);
        self.turn.push(turn);
        self.kind.push(kind as u8);
        self.time.push(time);
        self.event.push(event as u32);
    }
}

/// Convert events to orders.
/// When a label arrives, its item and all items that are due are predicted by the current model;
/// then the label is revealed and learned.
pub fn plan(schedule: &mut Schedule, events: Events<'_>, predict_last: bool) -> Result<Plan> {
    let mut out = Plan::default();
    let (what, item, time) = events.columns();
    for i in 0..what.len() {
        let (item, time) = (item[i], time[i]);
        match Event::of(what[i]) {
            Event::Arrival => {
                schedule.arrive(item, true)?;
                out.push(Op::Predict, item, 0, Kind::First, time, i);
            }
            Event::Passing => out.push(Op::Predict, item, 0, Kind::First, time, i),
            Event::Update => {
                schedule.slot(item)?;
                out.push(Op::Update, item, 0, Kind::First, time, i);
            }
            Event::Label => {
                let (slot, turns) = schedule.leave(item)?;
                schedule.vacate(slot);
                if predict_last {
                    out.push(Op::Predict, item, turns + 1, Kind::Final, time, i);
                }
                for &slot in schedule.due().into_iter().flatten().flatten() {
                    if let Some((item, turn)) = schedule.next_turn(slot) {
                        out.push(Op::Predict, item, turn, Kind::Periodic, time, i);
                    }
                }
                schedule.count();
                out.push(Op::Reveal, item, 0, Kind::First, time, i);
                out.push(Op::Learn, item, 0, Kind::First, time, i);
            }
        }
    }
    Ok(out)
}
