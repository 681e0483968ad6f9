import { splitTopLevel } from '../../../syntax/source-text.ts';
import type { Value } from '../values.ts';
import {
  type AssertionWriter,
  all,
  character,
  fraction,
  integer,
  isRounded,
  itemsOf,
  listed,
  mapped,
  text,
  truth,
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

function write(value: Value, given: string): string | null {
  const type = given.replace(/'\w+\s+/g, '').trim();
  const [, mutable = '', referent] = /^&\s*(mut\s+)?(.+)$/s.exec(type) ?? [];
  if (referent === 'str') return text(value);
  if (referent !== undefined) {
    const slice = /^\[([^;]+)\]$/s.exec(referent)?.[1];
    const inner = slice === undefined ? write(value, referent) : array(value, slice);
    return within(inner, words => `&${mutable}${words}`);
  }
  if (type === 'bool') return truth(value);
  if (type === 'char') return character(value);
  if (type === 'String') return within(text(value), words => `String::from(${words})`);
  if (/^[iu](?:8|16|32|64|128|size)$/.test(type)) return integer(value, type.startsWith('u'));
  if (/^f(?:32|64)$/.test(type)) return fraction(value);
  const fixed = /^\[(.+);\s*\d+\]$/s.exec(type)?.[1];
  if (fixed !== undefined) return array(value, fixed);
  const tuple = /^\((.+)\)$/s.exec(type)?.[1];
  if (tuple !== undefined) return tupleOf(value, splitTopLevel(tuple));
  const [, name = '', inside = ''] = /^(?:[\w:]*::)?(\w+)<(.*)>$/s.exec(type) ?? [];
  const [item = '', entry = ''] = splitTopLevel(inside);
  if (name === 'Option') {
    if (value.kind === 'nothing') return 'None';
    return within(write(value.kind === 'some' ? value.value : value, item), words => `Some(${words})`);
  }
  if (name === 'Vec') {
    const written = array(value, item);
    // Nothing else tells the type of what is compared.
    return written === '[]' ? `Vec::<${item}>::new()` : written && `vec!${written}`;
  }
  if (/^(?:Hash|BTree)Set$/.test(name)) {
    return within(array(value, item), words => `std::collections::${name}::<${item}>::from(${words})`);
  }
  if (!/^(?:Hash|BTree)Map$/.test(name)) return null;
  const writers = { key: (each: Value) => write(each, item), entry: (each: Value) => write(each, entry) };
  return within(
    mapped(value, writers, (key, held) => `(${key}, ${held})`),
    pairs => `std::collections::${name}::<${item}, ${entry}>::from([${pairs}])`,
  );
}

function array(value: Value, type: string): string | null {
  return within(
    listed(value, item => write(item, type)),
    items => `[${items}]`,
  );
}

function tupleOf(value: Value, types: readonly string[]): string | null {
  const items = itemsOf(value);
  if (items?.length !== types.length) return null;
  const written = all(items, (item, index) => write(item, types[index] ?? ''));
  return written && `(${written.join(', ')}${types.length === 1 ? ',' : ''})`;
}

function parenthesized(number: string): string {
  return number.startsWith('-') ? `(${number})` : number;
}
