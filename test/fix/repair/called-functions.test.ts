import { expect, test } from 'vitest';
import { functionsIn } from '../../../lib/fix/localise/functions.ts';
import { readSource } from '../../../lib/fix/patch/source-file.ts';
import { calledFunctions } from '../../../lib/fix/repair/called-functions.ts';
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
