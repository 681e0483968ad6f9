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

export const cpp: AssertionWriter = {
  write,
  assertion({ name, parameters, result }, { args, wanted, expected }) {
    // A reference needs a variable.
    const words = args.map((value, index) => (isChanged(parameters[index]) ? `hefix_${index}` : value));
    const variables = args.map((value, index) =>
      isChanged(parameters[index]) ? `auto hefix_${index} = ${value}; ` : '',
    );
    const call = `${name}(${words.join(', ')})`;
    const assertion =
      isRounded(expected) && /^(?:float|(?:long )?double)$/.test(bare(result))
        ? `assert(std::fabs(${call} - (${wanted})) < ${bare(result) === 'float' ? '1e-4' : '1e-6'});`
        : `assert(${call} == ${wanted});`;
    return variables.join('') === '' ? assertion : `{ ${variables.join('')}${assertion} }`;
  },
  program: assertions =>
    [
      '#undef NDEBUG\n#include <assert.h>\n#include <cmath>\nint main() {',
      ...assertions.map(line => `    ${line}`),
      '}\n',
    ].join('\n'),
};

function write(value: Value, given: string): string | null {
  const type = bare(given);
  const plain = type.replaceAll('std::', '');
  if (plain === 'bool') return truth(value);
  if (plain === 'char' && value.kind === 'string') return character(value);
  if (plain === 'string') return within(text(value), written => `std::string(${written})`);
  if (/^(?:(?:un)?signed ?|short|int|long|char|u?int\d+_t|size_t| )+$/.test(plain))
    return integer(value, /^u|^size/.test(plain));
  if (/^(?:float|(?:long )?double)$/.test(plain)) return fraction(value);
  const [, name = '', inside = ''] = /^(\w+) ?<(.*)>$/s.exec(plain) ?? [];
  const types = splitTopLevel(inside);
  const [item = '', entry = ''] = types;
  if (name === 'optional') {
    if (value.kind === 'nothing') return `${type}{}`;
    return within(write(value.kind === 'some' ? value.value : value, item), inner => `${type}{${inner}}`);
  }
  if (/^(?:pair|tuple)$/.test(name)) {
    const items = itemsOf(value);
    const written =
      items?.length === types.length ? all(items, (each, index) => write(each, types[index] ?? '')) : null;
    return written && `${type}{${written.join(', ')}}`;
  }
  if (/^(?:unordered_)?map$/.test(name)) {
    const writers = { key: (each: Value) => write(each, item), entry: (each: Value) => write(each, entry) };
    return within(
      mapped(value, writers, (key, held) => `{${key}, ${held}}`),
      pairs => `${type}{${pairs}}`,
    );
  }
  if (!/^(?:vector|list|deque|(?:unordered_|multi)?set)$/.test(name)) return null;
  return within(
    listed(value, each => write(each, item)),
    items => `${type}{${items}}`,
  );
}

/** Without `const` and `&`. */
function bare(type: string): string {
  return type
    .replace(/\bconst\b|&/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function isChanged(type = ''): boolean {
  return /(?<!&)&$/.test(type.trim()) && !/\bconst\b/.test(type);
}
