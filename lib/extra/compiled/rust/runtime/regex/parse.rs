//! Parses patterns into trees.

#[derive(Clone, Debug)]
pub enum Node {
    Set { ranges: Vec<(char, char)>, negated: bool },
    Start,
    End,
    Boundary(bool),
    Group(Option<usize>, Box<Node>),
    Sequence(Vec<Node>),
    Choice(Vec<Node>),
    Repeat { node: Box<Node>, min: usize, max: usize, greedy: bool },
}

pub struct Parser<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    pub groups: usize,
}

type Parsed = Result<Node, String>;

const NEWLINE: (char, char) = ('\n', '\n');

impl<'a> Parser<'a> {
    pub fn new(pattern: &'a str) -> Self { Parser { rest: pattern.chars().peekable(), groups: 0 } }

    pub fn pattern(&mut self) -> Parsed {
        let node = self.choice()?;
        if self.rest.peek().is_some() { Err("unopened group".into()) } else { Ok(node) }
    }

    fn take(&mut self, wanted: char) -> bool { self.rest.next_if_eq(&wanted).is_some() }

    fn choice(&mut self) -> Parsed {
        let mut choices = vec![self.sequence()?];
        while self.take('|') {
            choices.push(self.sequence()?);
        }
        Ok(if choices.len() == 1 { choices.remove(0) } else { Node::Choice(choices) })
    }

    fn sequence(&mut self) -> Parsed {
        let mut nodes = Vec::new();
        while let Some(&next) = self.rest.peek() {
            if next == '|' || next == ')' {
                break;
            }
            let node = self.atom()?;
            nodes.push(self.repeated(node)?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn repeated(&mut self, node: Node) -> Parsed {
        let (min, max) = match self.rest.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => return self.counted(node),
            _ => return Ok(node),
        };
        self.rest.next();
        self.lazily(node, min, max)
    }

    fn counted(&mut self, node: Node) -> Parsed {
        self.rest.next();
        let mut text = String::new();
        while let Some(next) = self.rest.next_if(|&next| next != '}') {
            text.push(next);
        }
        if !self.take('}') {
            return Err("unclosed counted repetition".into());
        }
        let number = |part: &str| part.trim().parse::<usize>().map_err(|_| String::from("repetition quantifier expects a valid decimal"));
        let (min, max) = match text.split_once(',') {
            None => (number(&text)?, number(&text)?),
            Some((min, "")) => (number(min)?, usize::MAX),
            Some((min, max)) => (number(min)?, number(max)?),
        };
        self.lazily(node, min, max)
    }

    fn lazily(&mut self, node: Node, min: usize, max: usize) -> Parsed {
        let greedy = !self.take('?');
        let repeat = Node::Repeat { node: Box::new(node), min, max, greedy };
        self.repeated(repeat)
    }

    fn atom(&mut self) -> Parsed {
        match self.rest.next().ok_or("unexpected end")? {
            '.' => Ok(Node::Set { ranges: vec![NEWLINE], negated: true }),
            '^' => Ok(Node::Start),
            '$' => Ok(Node::End),
            '(' => self.group(),
            '[' => self.class(),
            '\\' => self.escape(),
            '*' | '+' | '?' => Err("repetition operator missing expression".into()),
            plain => Ok(literal(plain)),
        }
    }

    fn group(&mut self) -> Parsed {
        let mut number = None;
        if self.take('?') {
            if self.take('P') || self.rest.peek() == Some(&'<') {
                while self.rest.next().ok_or("unclosed group name")? != '>' {}
                self.groups += 1;
                number = Some(self.groups);
            } else if !self.take(':') {
                return Err("unrecognized flag".into());
            }
        } else {
            self.groups += 1;
            number = Some(self.groups);
        }
        let inner = self.choice()?;
        if self.take(')') { Ok(Node::Group(number, Box::new(inner))) } else { Err("unclosed group".into()) }
    }

    fn class(&mut self) -> Parsed {
        let negated = self.take('^');
        let mut ranges = Vec::new();
        loop {
            let next = self.rest.next().ok_or("unclosed character class")?;
            if next == ']' && !ranges.is_empty() {
                return Ok(Node::Set { ranges, negated });
            }
            let low = match next {
                '\\' => match self.escape()? {
                    Node::Set { ranges: inner, negated: false } if inner.len() == 1 && inner[0].0 == inner[0].1 => inner[0].0,
                    Node::Set { ranges: inner, negated } => {
                        ranges.extend(if negated { inverted(&inner) } else { inner });
                        continue;
                    }
                    _ => return Err("invalid escape sequence found in character class".into()),
                },
                plain => plain,
            };
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('-') && !matches!(ahead.next(), None | Some(']')) {
                self.rest.next();
                let high = match self.rest.next() {
                    Some('\\') => self.rest.next().ok_or("unclosed character class")?,
                    Some(high) => high,
                    None => return Err("unclosed character class".into()),
                };
                ranges.push((low, high));
            } else {
                ranges.push((low, low));
            }
        }
    }

    fn escape(&mut self) -> Parsed {
        let digits = vec![('0', '9')];
        let words = vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let spaces = vec![(' ', ' '), ('\t', '\r'), ('\u{85}', '\u{85}'), ('\u{a0}', '\u{a0}')];
        let (ranges, negated) = match self.rest.next().ok_or("incomplete escape sequence")? {
            'd' => (digits, false),
            'D' => (digits, true),
            'w' => (words, false),
            'W' => (words, true),
            's' => (spaces, false),
            'S' => (spaces, true),
            'b' => return Ok(Node::Boundary(true)),
            'B' => return Ok(Node::Boundary(false)),
            'A' => return Ok(Node::Start),
            'z' => return Ok(Node::End),
            'n' => return Ok(literal('\n')),
            't' => return Ok(literal('\t')),
            'r' => return Ok(literal('\r')),
            other if other.is_ascii_alphanumeric() => return Err("unrecognized escape sequence".into()),
            other => return Ok(literal(other)),
        };
        Ok(Node::Set { ranges, negated })
    }
}

fn literal(character: char) -> Node { Node::Set { ranges: vec![(character, character)], negated: false } }

fn inverted(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut sorted = ranges.to_vec();
    sorted.sort();
    let mut from = 0u32;
    let mut gaps = Vec::new();
    for (low, high) in sorted {
        if let (Some(a), Some(b)) = (char::from_u32(from), char::from_u32((low as u32).wrapping_sub(1))) {
            if a <= b {
                gaps.push((a, b));
            }
        }
        from = high as u32 + 1;
    }
    gaps.push((char::from_u32(from).unwrap_or(char::MAX), char::MAX));
    gaps
}
