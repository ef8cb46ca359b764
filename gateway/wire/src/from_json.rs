//! From JSON to protobuf: reads a body once, and appends the message's bytes as its members come.
//!
//! The bytes are canonical: fields in the order of their numbers, maps in the order of their keys, defaults omitted.
//! Violations are collected by path and reading continues, so that a caller gets all of them at once.

use std::ops::Range;

use prost::Message as _;
use prost_reflect::{DeserializeOptions, DynamicMessage};

use super::{
    error::Violation,
    json::{Parser, Token, Unreadable},
    plan::{FieldPlan, Form, Kind, MessageId, MessagePlan, Plans, Shape},
    protobuf::{WireType, put_tag, with_length},
    scalar::{Scalar, expected},
};

/// Maximum fields that one refusal names.
pub(super) const VIOLATIONS_MAX: usize = 50;
/// Extra depth of a `google.protobuf.Value`, which counts as two levels. In protobuf it has up to three, and no decoder
/// follows more than 100.
const VALUE_DEPTH: usize = 1;

type Read<T> = Result<T, Unreadable>;

/// One step of a path.
#[derive(Debug)]
pub(super) enum Step<'a> {
    Field(&'a str),
    Key(String),
    Index(usize),
}

/// A body that is being converted to bytes.
#[derive(Debug)]
pub(super) struct Intake<'p, 'a> {
    plans: &'p Plans,
    pub(super) json: Parser<'a>,
    pub(super) out: Vec<u8>,
    pub(super) path: Vec<Step<'p>>,
    violations: Vec<Violation>,
}

impl AsMut<Vec<u8>> for Intake<'_, '_> {
    fn as_mut(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }
}

/// Result of reading a body.
#[derive(Debug)]
pub(super) struct Decoded {
    /// Valid only without violations.
    pub(super) bytes: Vec<u8>,
    pub(super) violations: Vec<Violation>,
}

impl<'p, 'a> Intake<'p, 'a> {
    fn new(plans: &'p Plans, text: &'a str) -> Self {
        Self {
            plans,
            json: Parser::new(text),
            out: Vec::with_capacity(text.len()),
            path: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// Reads a body that is a message.
    pub(super) fn of_message(plans: &'p Plans, id: MessageId, text: &'a str) -> Read<Decoded> {
        let mut intake = Self::new(plans, text);
        intake.message(id, 0)?;
        intake.finish()
    }

    /// Reads a body that is a value of one field, and writes it with its tag.
    pub(super) fn of_field(plans: &'p Plans, field: &'p FieldPlan, text: &'a str) -> Read<Decoded> {
        let mut intake = Self::new(plans, text);
        intake.path.push(Step::Field(&field.name));
        intake.member(field, 0)?;
        intake.finish()
    }

    fn finish(mut self) -> Read<Decoded> {
        self.json.end()?;
        Ok(Decoded {
            bytes: self.out,
            violations: self.violations,
        })
    }

    pub(super) fn violation(&mut self, message: impl Into<String>) {
        if self.violations.len() < VIOLATIONS_MAX {
            let field = self.path();
            let message = message.into();
            self.violations.push(Violation::new(field, message));
        }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            let name = match step {
                Step::Index(at) => {
                    path.extend(["[", &at.to_string(), "]"]);
                    continue;
                }
                Step::Field(name) => name,
                Step::Key(name) => name.as_str(),
            };
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
        }
        path
    }

    /// Skips a value that is not of `kind`, and records a violation.
    fn refuse(&mut self, kind: Kind, depth: usize) -> Read<()> {
        self.json.skip(depth)?;
        self.unfit(kind);
        Ok(())
    }

    fn unfit(&mut self, kind: Kind) {
        self.violation(format!("must be {}", expected(self.plans, kind)));
    }

    /// Reads a member of an object; null means that it is absent.
    fn member(&mut self, field: &'p FieldPlan, depth: usize) -> Read<()> {
        if self.json.peek()? == Token::Null && !self.takes_null(field) {
            return self.json.word("null");
        }
        match &field.form {
            Form::Single => self.single(field, depth),
            Form::List => self.list(field, depth),
            Form::Map(map) => self.map(field.number, map, depth),
        }
    }

    /// Whether null is a value of the field and not its absence.
    fn takes_null(&self, field: &FieldPlan) -> bool {
        matches!(field.form, Form::Single)
            && match field.kind {
                Kind::Message(id) => self.plans.message(id).shape == Shape::Value,
                Kind::Enum(id) => self.plans.enumeration(id).is_null,
                _ => false,
            }
    }

    pub(super) fn single(&mut self, field: &FieldPlan, depth: usize) -> Read<()> {
        if let Kind::Message(id) = field.kind {
            put_tag(field.number, WireType::Length, &mut self.out);
            return with_length(self, |intake| intake.message(id, depth));
        }
        if field.is_absent_when_empty && self.json.passes_empty_text() {
            return Ok(());
        }
        if let Some(value) = self.scalar(field.kind, depth)? {
            value.put_single(field, &mut self.out);
        }
        Ok(())
    }

    /// Reads a value of `kind`. Returns `None` and records a violation if it is not one.
    fn scalar(&mut self, kind: Kind, depth: usize) -> Read<Option<Scalar<'a>>> {
        let value = match self.json.peek()? {
            Token::String => {
                let text = self.json.string()?;
                match kind {
                    Kind::Enum(id) => {
                        let number = self.plans.enumeration(id).numbers.get(&*text);
                        number.map(|number| Scalar::of_enum(*number))
                    }
                    _ => Scalar::from_string(kind, text),
                }
            }
            Token::Number => {
                let text = self.json.number()?;
                match kind {
                    Kind::Enum(id) if self.plans.enumeration(id).is_null => None,
                    _ => Scalar::from_number(kind, text),
                }
            }
            Token::Null if self.is_null_value(kind) => {
                self.json.word("null")?;
                Some(Scalar::Varint(0))
            }
            Token::True if kind == Kind::Bool => {
                self.json.word("true")?;
                Some(Scalar::boolean(true))
            }
            Token::False if kind == Kind::Bool => {
                self.json.word("false")?;
                Some(Scalar::boolean(false))
            }
            _ => {
                self.json.skip(depth)?;
                None
            }
        };
        if value.is_none() {
            self.unfit(kind);
        }
        Ok(value)
    }

    fn is_null_value(&self, kind: Kind) -> bool {
        matches!(kind, Kind::Enum(id) if self.plans.enumeration(id).is_null)
    }

    fn list(&mut self, field: &FieldPlan, depth: usize) -> Read<()> {
        if self.json.peek()? != Token::List {
            self.json.skip(depth)?;
            self.violation("must be a list");
            return Ok(());
        }
        if !field.is_packed {
            return self.elements(depth, |intake| intake.element(field, depth + 1));
        }
        let start = self.out.len();
        put_tag(field.number, WireType::Length, &mut self.out);
        let empty = self.out.len() + 1;
        with_length(self, |intake| {
            intake.elements(depth, |intake| {
                if let Some(value) = intake.scalar(field.kind, depth + 1)? {
                    value.put(&mut intake.out);
                }
                Ok(())
            })
        })?;
        if self.out.len() == empty {
            self.out.truncate(start);
        }
        Ok(())
    }

    fn elements(
        &mut self,
        depth: usize,
        mut element: impl FnMut(&mut Self) -> Read<()>,
    ) -> Read<()> {
        self.json.open(b'[', depth + 1)?;
        let mut at = 0;
        while self.json.next_element(at == 0)? {
            self.path.push(Step::Index(at));
            element(self)?;
            self.path.pop();
            at += 1;
        }
        Ok(())
    }

    /// Reads one element of a list that is not packed. Its default is written, too.
    fn element(&mut self, field: &FieldPlan, depth: usize) -> Read<()> {
        if let Kind::Message(_) = field.kind {
            return self.single(field, depth);
        }
        if let Some(value) = self.scalar(field.kind, depth)? {
            value.put_tagged(field.number, &mut self.out);
        }
        Ok(())
    }

    fn message(&mut self, id: MessageId, depth: usize) -> Read<()> {
        let plan = self.plans.message(id);
        let token = self.json.peek()?;
        match (plan.shape, token) {
            (Shape::Object | Shape::Empty, Token::Object) => self.object(plan, depth),
            (Shape::Struct, Token::Object) | (Shape::ListValue, Token::List) => {
                self.members(plan, depth + VALUE_DEPTH)
            }
            (Shape::Value, token) => self.value(plan, token, depth),
            (Shape::Dynamic, _) => self.dynamic(plan, depth),
            (Shape::Wrapper(kind), _) => {
                if let Some(value) = self.scalar(kind, depth)? {
                    self.out.extend(value.wrapped());
                }
                Ok(())
            }
            (shape @ (Shape::Timestamp | Shape::Duration | Shape::FieldMask), Token::String) => {
                let text = self.json.string()?;
                match Scalar::from_text_of(shape, &text) {
                    Some(Scalar::Message(message)) => self.out.extend(message),
                    _ => self.unfit(Kind::Message(id)),
                }
                Ok(())
            }
            _ => self.refuse(Kind::Message(id), depth),
        }
    }

    /// Reads a struct as the map that is its only field, and a list value as its list.
    fn members(&mut self, plan: &'p MessagePlan, depth: usize) -> Read<()> {
        match plan.fields.as_slice() {
            [field] => self.member(field, depth),
            _ => self.json.skip(depth),
        }
    }

    fn object(&mut self, plan: &'p MessagePlan, depth: usize) -> Read<()> {
        self.json.open(b'{', depth + 1)?;
        // Position of each field and the range of its bytes, in the order of the body.
        let mut parts: Vec<(usize, Range<usize>)> = Vec::with_capacity(plan.fields.len());
        let mut oneofs = 0;
        let mut is_first = true;
        while let Some(key) = self.json.next_key(is_first)? {
            is_first = false;
            let Some(&at) = plan.by_name.get(&*key) else {
                self.path.push(Step::Key(key.into_owned()));
                self.violation("is not a known field");
                self.json.skip(depth + 1)?;
                self.path.pop();
                continue;
            };
            let field = &plan.fields[at];
            self.path.push(Step::Field(&field.name));
            let start = self.out.len();
            let is_null = self.json.peek()? == Token::Null && !self.takes_null(field);
            let is_repeated = parts.iter().any(|(other, _)| *other == at);
            if is_repeated {
                self.violation("is given more than once");
            } else if !is_null && oneofs & field.oneof != 0 {
                self.violation("excludes another field that is given");
            }
            if !is_null {
                oneofs |= field.oneof;
            }
            self.member(field, depth + 1)?;
            self.path.pop();
            if is_repeated {
                self.out.truncate(start);
            } else {
                parts.push((at, start..self.out.len()));
            }
        }
        self.sort(&mut parts);
        Ok(())
    }

    /// Puts the fields that were written last in the order of their numbers. In most bodies they are in order already.
    fn sort(&mut self, parts: &mut [(usize, Range<usize>)]) {
        if parts.is_sorted_by_key(|(at, _)| *at) {
            return;
        }
        let Some(start) = parts.first().map(|(_, range)| range.start) else {
            return;
        };
        parts.sort_by_key(|(at, _)| *at);
        let written = self.out.split_off(start);
        for (_, range) in parts {
            let range = range.start - start..range.end - start;
            self.out.extend_from_slice(&written[range]);
        }
    }

    fn value(&mut self, plan: &'p MessagePlan, token: Token, depth: usize) -> Read<()> {
        let number = match token {
            Token::Null => 1,
            Token::Number => 2,
            Token::String => 3,
            Token::True | Token::False => 4,
            Token::Object => 5,
            Token::List => 6,
        };
        match plan.position(number) {
            // Each is a member of a oneof, so it is written even if it is the default.
            Some(at) => self.single(&plan.fields[at], depth),
            None => self.json.skip(depth),
        }
    }

    fn dynamic(&mut self, plan: &'p MessagePlan, depth: usize) -> Read<()> {
        let (text, is_unique) = self.json.raw(depth)?;
        if !is_unique {
            self.violation("has a key more than once");
            return Ok(());
        }
        let mut json = serde_json::Deserializer::from_str(text);
        let options = DeserializeOptions::new().deny_unknown_fields(true);
        match DynamicMessage::deserialize_with_options(plan.descriptor.clone(), &mut json, &options)
        {
            Ok(message) => self.out.extend(message.encode_to_vec()),
            Err(error) => {
                let text = error.to_string();
                self.violation(text.split(" at line ").next().unwrap_or_default());
            }
        }
        Ok(())
    }
}
