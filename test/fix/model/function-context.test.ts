import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { calledFunctions, callsOf, tracebackText } from '../../../lib/fix/model/function-context.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { openParser } from '../../../lib/syntax/parser.ts';

const code = `def rounded(price, digits=2):
    """Round half up.

    To so many digits.
    """
    return round(price, digits)


def taxed(price,
          rate):
    return price * rate


def unused():
    return 1


def total(prices):
    return rounded(sum(taxed(price, 2) for price in prices))
`;

test('shows headers and docstrings of called functions, without bodies', async () => {
  const parser = await openParser('python');
  const file = readSource('shop.py', Buffer.from(code));
  const total = functionsIn(parser, file).find(({ name }) => name === 'total');
  expect(total && calledFunctions(parser, file, total)).toBe(
    'def rounded(price, digits=2):\n    """Round half up.\n\n    To so many digits.\n    """\n\ndef taxed(price,\n          rate):',
  );
});

test('shows where a function is called, except by itself, and the lines of a traceback', async () => {
  const parser = await openParser('python');
  const files = new Map(
    Object.entries({
      'shop.py': code,
      'till.py':
        'from shop import rounded, taxed\n\n\ndef pay(price):\n    return rounded( taxed(price, 3))\n',
    }).map(([path, text]) => [path, readSource(path, Buffer.from(text))]),
  );
  const source = (path: string) => files.get(path) ?? readSource(path, Buffer.from(''));
  const found = functionsIn(parser, source('shop.py')).find(({ name }) => name === 'rounded');
  expect(found && callsOf(found, ['till.py', 'shop.py'], source)).toBe(
    'shop.py:19: return rounded(sum(taxed(price, 2) for price in prices))\ntill.py:5: return rounded( taxed(price, 3))',
  );
  expect(
    tracebackText(
      [
        ['till.py', 5],
        ['shop.py', 6],
      ],
      source,
    ),
  ).toBe('till.py:5: return rounded( taxed(price, 3))\nshop.py:6: return round(price, digits)');
});
