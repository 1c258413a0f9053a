//! Events written out as orders, for protocols and tests; the engine executes events as they are.

use super::{Event, Events, Op, PredictionKind, Schedule};
use crate::error::Result;

/// Orders as columns that own their memory.
#[derive(Debug, Clone, Default)]
pub struct OwnedOrders {
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

impl OwnedOrders {
    fn push(
        &mut self,
        op: Op,
        item: u64,
        turn: u32,
        kind: PredictionKind,
        time: i64,
        event: usize,
    ) {
        self.op.push(op as u8);
        self.item.push(item);
        self.turn.push(turn);
        self.kind.push(kind as u8);
        self.time.push(time);
        self.event.push(event as u32);
    }
}

/// Expand events to orders.
/// When a label arrives, all items that are due, and its item if `predict_last`, are predicted by
/// the current model; then the label is revealed and learned.
pub fn expand_events(
    schedule: &mut Schedule,
    events: Events<'_>,
    predict_last: bool,
) -> Result<OwnedOrders> {
    let mut out = OwnedOrders::default();
    let (what, item, time) = events.columns();
    for i in 0..what.len() {
        let (item, time) = (item[i], time[i]);
        match Event::from_code(what[i]) {
            Event::Arrival => {
                schedule.add(item, true)?;
                out.push(Op::Predict, item, 0, PredictionKind::First, time, i);
            }
            Event::Unlabelled => out.push(Op::Predict, item, 0, PredictionKind::First, time, i),
            Event::Update => {
                schedule.slot(item)?;
                out.push(Op::Update, item, 0, PredictionKind::First, time, i);
            }
            Event::Label => {
                let (slot, turns) = schedule.remove(item)?;
                schedule.vacate(slot);
                if predict_last {
                    out.push(Op::Predict, item, turns + 1, PredictionKind::Final, time, i);
                }
                for &slot in schedule.due().into_iter().flatten().flatten() {
                    if let Some((item, turn)) = schedule.next_turn(slot) {
                        out.push(Op::Predict, item, turn, PredictionKind::Periodic, time, i);
                    }
                }
                schedule.add_label();
                out.push(Op::Reveal, item, 0, PredictionKind::First, time, i);
                out.push(Op::Learn, item, 0, PredictionKind::First, time, i);
            }
        }
    }
    Ok(out)
}
