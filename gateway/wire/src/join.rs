//! Merges values from path, query and headers into the message of a body.

use super::{
    plan::{FieldPlan, Form, Kind, MessageId, MessagePlan, Plans},
    protobuf::{Broken, Reader, WireType, put_tag, with_length},
    scalar::Scalar,
};

/// A scalar and the way to its field, as positions in the plans.
#[derive(Debug)]
pub(super) struct Setting<'a> {
    pub(super) way: Vec<usize>,
    pub(super) value: Scalar<'a>,
}

/// A field of canonical bytes.
struct Part<'b> {
    number: u32,
    /// With its tag.
    whole: &'b [u8],
    /// Without its tag and length, if it has a length.
    inner: &'b [u8],
}

struct Parts<'b> {
    rest: &'b [u8],
}

impl<'b> Parts<'b> {
    fn next(&mut self) -> Result<Option<Part<'b>>, Broken> {
        let start = self.rest;
        let mut reader = Reader::new(start);
        let Some(tag) = reader.tag()? else {
            return Ok(None);
        };
        let mut inner: &[u8] = &[];
        if tag.wire_type == WireType::Length {
            inner = reader.bytes()?;
        } else {
            reader.skip(tag)?;
        }
        let (whole, rest) = start.split_at(start.len() - reader.remaining());
        self.rest = rest;
        Ok(Some(Part {
            number: tag.number,
            whole,
            inner,
        }))
    }
}

/// Appends the message of `base`, which is canonical, with `settings` applied. A setting replaces the value in `base`,
/// and a member of a oneof replaces the others. The result is canonical.
pub(super) fn join(
    plans: &Plans,
    id: MessageId,
    base: &[u8],
    settings: &mut [Setting<'_>],
    out: &mut Vec<u8>,
) -> Result<(), Broken> {
    if settings.is_empty() {
        out.extend_from_slice(base);
        return Ok(());
    }
    // Stable: values of a list keep their order, and of several values of one field the last one counts.
    settings.sort_by(|one, other| one.way.cmp(&other.way));
    let joining = Joining { plans };
    joining.message(plans.message(id), base, settings, 0, out)
}

struct Joining<'p> {
    plans: &'p Plans,
}

impl Joining<'_> {
    fn message(
        &self,
        plan: &MessagePlan,
        base: &[u8],
        settings: &[Setting<'_>],
        level: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Broken> {
        let at = |setting: &Setting<'_>| setting.way.get(level).copied().unwrap_or_default();
        let set = settings.iter().map(|s| plan.fields[at(s)].oneof);
        let oneofs = set.fold(0, |all, bit| all | bit);
        let keeps = |part: &Part<'_>| {
            let position = plan.position(part.number);
            position.is_none_or(|at| plan.fields[at].oneof & oneofs == 0)
        };
        let mut parts = Parts { rest: base };
        let mut next = parts.next()?;
        for group in settings.chunk_by(|one, other| at(one) == at(other)) {
            let [first, ..] = group else { continue };
            let field = &plan.fields[at(first)];
            let mut inner: &[u8] = &[];
            while let Some(part) = next.take_if(|part| part.number <= field.number) {
                if part.number == field.number {
                    inner = part.inner;
                } else if keeps(&part) {
                    out.extend_from_slice(part.whole);
                }
                next = parts.next()?;
            }
            match field.kind {
                Kind::Message(id) if first.way.len() > level + 1 => {
                    let plan = self.plans.message(id);
                    put_tag(field.number, WireType::Length, out);
                    with_length(out, |out| self.message(plan, inner, group, level + 1, out))?;
                }
                _ => values(field, group, out),
            }
        }
        while let Some(part) = next {
            if keeps(&part) {
                out.extend_from_slice(part.whole);
            }
            next = parts.next()?;
        }
        Ok(())
    }
}

fn values(field: &FieldPlan, settings: &[Setting<'_>], out: &mut Vec<u8>) {
    match &field.form {
        Form::List if field.is_packed => {
            put_tag(field.number, WireType::Length, out);
            with_length(out, |out| {
                for setting in settings {
                    setting.value.put(out);
                }
            });
        }
        Form::List => {
            for setting in settings {
                setting.value.put_tagged(field.number, out);
            }
        }
        Form::Single | Form::Map(_) => {
            if let Some(last) = settings.last() {
                last.value.put_single(field, out);
            }
        }
    }
}
