import { splitTopLevel } from '../../syntax/source-text.ts';
import type { Value } from '../values.ts';
import {
  type AssertionWriter,
  all,
  character,
  entriesOf,
  fraction,
  integer,
  isRounded,
  itemsOf,
  text,
  truth,
} from './assertion-writer.ts';

export const java: AssertionWriter = {
  write,
  assertion({ name, owner, result }, { args, wanted, expected }) {
    const call = `new ${owner}().${name}(${args.join(', ')})`;
    if (/^(?:float|double|Float|Double)$/.test(result) && isRounded(expected))
      return `assert Math.abs(${call} - ${wanted}) < ${/^f/i.test(result) ? '1e-4' : '1e-6'};`;
    if (/^[a-z]+$/.test(result)) return `assert ${call} == ${wanted};`;
    if (/\]\s*\[\s*\]$/.test(result)) return `assert Arrays.deepEquals(${call}, ${wanted});`;
    return `assert ${result.endsWith(']') ? 'Arrays' : 'Objects'}.equals(${call}, ${wanted});`;
  },
  program: assertions =>
    [
      'import java.util.*;\n\npublic class Main {\n    public static void main(String[] args) {',
      ...assertions.map(line => `        ${line}`),
      '    }\n}\n',
    ].join('\n'),
};

function write(value: Value, given: string): string | null {
  const type = given.replace(/\s+/g, ' ').replaceAll('java.util.', '').trim();
  switch (type) {
    case 'boolean':
    case 'Boolean':
      return truth(value);
    case 'char':
    case 'Character':
      return character(value);
    case 'String':
      return value.kind === 'nothing' ? 'null' : text(value);
    case 'int':
    case 'Integer':
      return integer(value);
    case 'short':
    case 'byte':
      return suffixed(integer(value), number => `(${type}) ${number}`);
    case 'long':
    case 'Long':
      return suffixed(integer(value), number => `${number}L`);
    case 'float':
    case 'Float':
      return suffixed(fraction(value), number => `${number}f`);
    case 'double':
    case 'Double':
      return fraction(value);
    case 'Object':
      return value.kind === 'nothing'
        ? 'null'
        : (integer(value) ?? fraction(value) ?? text(value) ?? truth(value));
    default:
      return value.kind === 'nothing' && !/^Optional\b/.test(type) ? null : composite(value, type);
  }
}

function composite(value: Value, type: string): string | null {
  const ofArray = /^([^<]+?) ?\[ ?\]$/.exec(type)?.[1];
  if (ofArray !== undefined) return listed(value, ofArray, items => `new ${ofArray}[] {${items}}`);
  const [, name = '', inside = ''] = /^(\w+) ?<(.*)>$/s.exec(type) ?? [];
  const [item = '', entry = ''] = splitTopLevel(inside);
  if (/^(?:Iterable|Collection|(?:Array)?List)$/.test(name))
    return listed(value, item, items => `new ArrayList<${item}>(Arrays.<${item}>asList(${items}))`);
  if (/^(?:Linked|Tree)?(?:Hash)?Set$/.test(name)) {
    const own = name === 'Set' ? 'HashSet' : name;
    return listed(value, item, items => `new ${own}<${item}>(Arrays.<${item}>asList(${items}))`);
  }
  if (name === 'Optional') {
    if (value.kind === 'nothing') return `Optional.<${item}>empty()`;
    return suffixed(
      write(value.kind === 'some' ? value.value : value, item),
      inner => `Optional.of(${inner})`,
    );
  }
  const entries = entriesOf(value);
  if (!entries || !/^(?:Linked|Tree)?(?:Hash)?Map$/.test(name) || entries.length > MAX_ENTRIES) return null;
  const words = all(
    entries.flatMap(([key, held]) => [write(key, item), write(held, entry)]),
    word => word,
  );
  const own = name === 'Map' ? 'HashMap' : name;
  return words && `new ${own}<${item}, ${entry}>(Map.<${item}, ${entry}>of(${words.join(', ')}))`;
}

/** What Map.of takes. */
const MAX_ENTRIES = 10;

function listed(value: Value, type: string, put: (items: string) => string): string | null {
  const items = itemsOf(value);
  const written = items && all(items, item => write(item, type));
  return written && put(written.join(', '));
}

function suffixed(written: string | null, put: (written: string) => string): string | null {
  return written === null ? null : put(written);
}
