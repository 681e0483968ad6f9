//! Replaces regex 1 with backtracking, covering the parts that short programs use.

mod parse;

use parse::{Node, Parser};
use std::borrow::Cow;
use std::fmt;
use std::ops::Index;

#[derive(Clone, Debug)]
pub struct Regex {
    pattern: String,
    node: Node,
    groups: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result { write!(to, "regex parse error: {}", self.0) }
}

impl std::error::Error for Error {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Match<'t> {
    pub fn start(&self) -> usize { self.start }
    pub fn end(&self) -> usize { self.end }
    pub fn range(&self) -> std::ops::Range<usize> { self.start..self.end }
    pub fn as_str(&self) -> &'t str { &self.text[self.start..self.end] }
    pub fn is_empty(&self) -> bool { self.start == self.end }
    pub fn len(&self) -> usize { self.end - self.start }
}

/// Start and end of each group; group 0 is the whole match.
type Spans = Vec<Option<(usize, usize)>>;

#[derive(Clone, Debug)]
pub struct Captures<'t> {
    text: &'t str,
    spans: Spans,
}

impl<'t> Captures<'t> {
    pub fn get(&self, group: usize) -> Option<Match<'t>> {
        let (start, end) = (*self.spans.get(group)?)?;
        Some(Match { text: self.text, start, end })
    }
    pub fn len(&self) -> usize { self.spans.len() }
    pub fn iter(&self) -> impl Iterator<Item = Option<Match<'t>>> + '_ { (0..self.len()).map(move |group| self.get(group)) }
}

impl<'t> Index<usize> for Captures<'t> {
    type Output = str;
    fn index(&self, group: usize) -> &str { self.get(group).map(|found| found.as_str()).expect("no group at that index") }
}

impl Regex {
    pub fn new(pattern: &str) -> Result<Regex, Error> {
        let mut parser = Parser::new(pattern);
        let node = parser.pattern().map_err(Error)?;
        Ok(Regex { pattern: pattern.into(), node, groups: parser.groups })
    }

    pub fn as_str(&self) -> &str { &self.pattern }

    pub fn is_match(&self, text: &str) -> bool { self.captures(text).is_some() }

    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> { self.captures(text)?.get(0) }

    pub fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> { self.captures_from(text, 0) }

    fn captures_from<'t>(&self, text: &'t str, from: usize) -> Option<Captures<'t>> {
        let starts = text[from..].char_indices().map(|(at, _)| from + at).chain(std::iter::once(text.len()));
        for start in starts {
            let mut spans = vec![None; self.groups + 1];
            let mut end = None;
            let found = matches(&self.node, text, start, &mut spans, &mut |at, spans| {
                end = Some((at, spans.clone()));
                true
            });
            if let (true, Some((at, mut spans))) = (found, end) {
                spans[0] = Some((start, at));
                return Some(Captures { text, spans });
            }
        }
        None
    }

    pub fn captures_iter<'r, 't: 'r>(&'r self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + 'r {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let captures = self.captures_from(text, next?)?;
            let found = captures.get(0)?;
            let step = text[found.end..].chars().next().map_or(1, char::len_utf8);
            let after = if found.is_empty() { found.end + step } else { found.end };
            next = if after > text.len() { None } else { Some(after) };
            Some(captures)
        })
    }

    pub fn find_iter<'r, 't: 'r>(&'r self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 'r {
        self.captures_iter(text).filter_map(|captures| captures.get(0))
    }

    pub fn split<'r, 't: 'r>(&'r self, text: &'t str) -> impl Iterator<Item = &'t str> + 'r {
        let mut from = 0;
        let mut parts: Vec<&'t str> = Vec::new();
        for found in self.find_iter(text) {
            parts.push(&text[from..found.start]);
            from = found.end;
        }
        parts.push(&text[from..]);
        parts.into_iter()
    }

    pub fn replace_all<'t, R: Replacer>(&self, text: &'t str, mut by: R) -> Cow<'t, str> { self.replacen(text, 0, &mut by) }

    pub fn replace<'t, R: Replacer>(&self, text: &'t str, mut by: R) -> Cow<'t, str> { self.replacen(text, 1, &mut by) }

    fn replacen<'t>(&self, text: &'t str, limit: usize, by: &mut dyn Replacer) -> Cow<'t, str> {
        let mut out = String::new();
        let mut from = 0;
        for (count, captures) in self.captures_iter(text).enumerate() {
            if limit > 0 && count >= limit {
                break;
            }
            if let Some(found) = captures.get(0) {
                out.push_str(&text[from..found.start]);
                by.replacement(&captures, &mut out);
                from = found.end;
            }
        }
        out.push_str(&text[from..]);
        Cow::Owned(out)
    }
}

pub trait Replacer {
    fn replacement(&mut self, captures: &Captures, out: &mut String);
}

impl Replacer for &str {
    /// `$1` and `${1}` are groups, `$$` is a dollar sign.
    fn replacement(&mut self, captures: &Captures, out: &mut String) {
        let mut rest = self.chars().peekable();
        while let Some(next) = rest.next() {
            if next != '$' || rest.next_if_eq(&'$').is_some() {
                out.push(next);
                continue;
            }
            let braced = rest.next_if_eq(&'{').is_some();
            let mut number = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                number.push(digit);
            }
            if braced {
                rest.next_if_eq(&'}');
            }
            let group = number.parse().ok().and_then(|group| captures.get(group));
            out.push_str(group.map_or("", |found| found.as_str()));
        }
    }
}

impl Replacer for String {
    fn replacement(&mut self, captures: &Captures, out: &mut String) { self.as_str().replacement(captures, out) }
}

impl<F: FnMut(&Captures) -> T, T: AsRef<str>> Replacer for F {
    fn replacement(&mut self, captures: &Captures, out: &mut String) { out.push_str(self(captures).as_ref()) }
}

type Continue<'c> = &'c mut dyn FnMut(usize, &mut Spans) -> bool;

/// Whether the node matches at `at` and the rest matches after it.
fn matches(node: &Node, text: &str, at: usize, spans: &mut Spans, then: Continue) -> bool {
    match node {
        Node::Set { ranges, negated } => match text[at..].chars().next() {
            Some(next) if ranges.iter().any(|&(low, high)| low <= next && next <= high) != *negated => then(at + next.len_utf8(), spans),
            _ => false,
        },
        Node::Start => at == 0 && then(at, spans),
        Node::End => at == text.len() && then(at, spans),
        Node::Boundary(wanted) => (is_boundary(text, at) == *wanted) && then(at, spans),
        Node::Group(number, inner) => {
            let outer = spans.clone();
            let found = matches(inner, text, at, spans, &mut |end, spans| {
                if let Some(number) = number {
                    spans[*number] = Some((at, end));
                }
                then(end, spans)
            });
            if !found {
                *spans = outer;
            }
            found
        }
        Node::Sequence(nodes) => sequence(nodes, text, at, spans, then),
        Node::Choice(choices) => choices.iter().any(|choice| matches(choice, text, at, spans, then)),
        Node::Repeat { node, min, max, greedy } => repeat((node, *min, *max, *greedy), 0, text, at, spans, then),
    }
}

fn sequence(nodes: &[Node], text: &str, at: usize, spans: &mut Spans, then: Continue) -> bool {
    match nodes.split_first() {
        None => then(at, spans),
        Some((first, rest)) => matches(first, text, at, spans, &mut |end, spans| sequence(rest, text, end, spans, then)),
    }
}

fn repeat(what: (&Node, usize, usize, bool), count: usize, text: &str, at: usize, spans: &mut Spans, then: Continue) -> bool {
    let (node, min, max, greedy) = what;
    if count >= min && !greedy && then(at, spans) {
        return true;
    }
    let once_more = count < max
        && matches(node, text, at, spans, &mut |end, spans| {
            (end > at || count < min) && repeat(what, count + 1, text, end, spans, then)
        });
    once_more || (count >= min && greedy && then(at, spans))
}

fn is_boundary(text: &str, at: usize) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let before = text[..at].chars().next_back().map_or(false, is_word);
    before != text[at..].chars().next().map_or(false, is_word)
}
