import { splitTopLevel } from '../../../syntax/source-text.ts';
import type { Value } from '../literals.ts';
import {
  type AssertionWriter,
  character,
  fraction,
  integer,
  isRounded,
  listed,
  mapped,
  text,
  truth,
  tupled,
  within,
} from './assertion-writer.ts';

export const rust: AssertionWriter = {
  write,
  assertion({ name, result }, { args, wanted, expected }) {
    const call = `${name}(${args.join(', ')})`;
    return /^f(?:32|64)$/.test(result) && isRounded(expected)
      ? `assert!((${call} - ${parenthesized(wanted)}).abs() < 1e-6);`
      : `assert_eq!(${call}, ${wanted});`;
  },
  program: assertions =>
    [
      '#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn examples() {',
      ...assertions.map(line => `        ${line}`),
      '    }\n}\n',
    ].join('\n'),
};

function write(value: Value, typeText: string): string | null {
  const type = typeText.replace(/'\w+\s+/g, '').trim();
  const [, mutable = '', referent] = /^&\s*(?!\s)(mut\s+)?(\S.*)$/s.exec(type) ?? [];
  if (referent === 'str') return text(value);
  if (referent !== undefined) {
    const slice = /^\[([^;]+)\]$/s.exec(referent)?.[1];
    const inner = slice === undefined ? write(value, referent) : array(value, slice);
    return within(inner, content => `&${mutable}${content}`);
  }
  if (type === 'bool') return truth(value);
  if (type === 'char') return character(value);
  if (type === 'String') return within(text(value), content => `String::from(${content})`);
  if (/^[iu](?:8|16|32|64|128|size)$/.test(type)) return integer(value, type.startsWith('u'));
  if (/^f(?:32|64)$/.test(type)) return fraction(value);
  const fixed = /^\[(.+);\s*\d+\]$/s.exec(type)?.[1];
  if (fixed !== undefined) return array(value, fixed);
  const tuple = /^\((.+)\)$/s.exec(type)?.[1];
  if (tuple !== undefined) {
    const types = splitTopLevel(tuple);
    return within(tupled(value, types, write), content => `(${content}${types.length === 1 ? ',' : ''})`);
  }
  const [, name = '', inside = ''] = /^(?:[\w:]*::)?(\w+)<(.*)>$/s.exec(type) ?? [];
  const [item = '', entry = ''] = splitTopLevel(inside);
  if (name === 'Option') {
    if (value.kind === 'nothing') return 'None';
    return within(write(value.kind === 'some' ? value.value : value, item), content => `Some(${content})`);
  }
  if (name === 'Vec') {
    const written = array(value, item);
    // Nothing else tells the type of what is compared.
    return written === '[]' ? `Vec::<${item}>::new()` : written && `vec!${written}`;
  }
  if (/^(?:Hash|BTree)Set$/.test(name)) {
    return within(array(value, item), content => `std::collections::${name}::<${item}>::from(${content})`);
  }
  if (!/^(?:Hash|BTree)Map$/.test(name)) return null;
  const writeKey = (each: Value) => write(each, item);
  const writeEntry = (each: Value) => write(each, entry);
  const written = mapped(value, writeKey, writeEntry, (key, held) => `(${key}, ${held})`);
  return within(written, pairs => `std::collections::${name}::<${item}, ${entry}>::from([${pairs}])`);
}

function array(value: Value, type: string): string | null {
  return within(
    listed(value, item => write(item, type)),
    items => `[${items}]`,
  );
}

function parenthesized(number: string): string {
  return number.startsWith('-') ? `(${number})` : number;
}
