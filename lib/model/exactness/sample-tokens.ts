import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { modelTextTimeout } from '../errors.ts';
import { readModelTexts } from '../model-folder.ts';
import { openChatTemplate } from '../text/bounded-template.ts';
import type { TextGuard } from '../text/text-guard.ts';
import { createTokenizer } from '../text/tokenizer.ts';

export interface SampleTokens {
  readonly sample: readonly number[];
  readonly check: readonly number[];
}

/**
 * The built-in texts as a model reads them, with its own tokenizer and chat template. Throws
 * MODEL_TEXT_TIMEOUT if these do not end, and their own errors.
 */
export async function sampleTokens(
  folder: string,
  name: string,
  limits: { readonly contextLength: number; readonly vocabulary: number },
  textLimitMs = 30_000,
): Promise<SampleTokens> {
  const { tokenizer, tokenizerConfig, chatTemplate } = await readModelTexts(folder);
  const { guard, isStuck } = timedGuard(textLimitMs);
  const template = await openChatTemplate(chatTemplate, { name, textLimitMs });
  try {
    const { encode } = createTokenizer(tokenizer, tokenizerConfig, join(folder, 'tokenizer.json'), guard);
    const tokens = async ({ request, reply }: typeof sampleText | typeof checkText) => {
      const rendered = await template.render({ messages: [{ role: 'user', content: request }] });
      const ids = encode(rendered + reply);
      return ids.filter(id => id < limits.vocabulary).slice(0, Math.min(POSITIONS, limits.contextLength));
    };
    return { sample: await tokens(sampleText), check: await tokens(checkText) };
  } catch (error) {
    throw isStuck() ? modelTextTimeout(name, textLimitMs / 1000) : error;
  } finally {
    template.close();
  }
}

/** Maximum tokens of each text. */
const POSITIONS = 512;

/** A model's tokenizer can contain a pattern that does not terminate. */
function timedGuard(limitMs: number): { readonly guard: TextGuard; isStuck(): boolean } {
  let stuck = false;
  const guard = <T>(work: () => T): T => {
    const held: { result?: T } = {};
    const keep = (): void => {
      held.result = work();
    };
    try {
      runInNewContext('keep()', { keep }, { timeout: limitMs });
    } catch (error) {
      stuck ||= (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      throw error;
    }
    return held.result as T;
  };
  return { guard, isStuck: () => stuck };
}

/**
 * The texts on which weight types are prepared and checked: two conversations of the kind that hefix has with
 * a model, in several languages and styles. They are written for this purpose.
 */

/** Factors and float channels are chosen on this text. */
const sampleText = {
  request: `The function below is meant to group log lines by day, but two of its tests fail. Find the mistake.

\`\`\`python
import re
from collections import defaultdict

LINE = re.compile(r"^(\\d{4}-\\d{2}-\\d{2}) (\\d{2}:\\d{2}) \\[(\\w+)\\] (.*)$")


def lines_by_day(lines: list[str], level: str = "INFO") -> dict[str, list[str]]:
    """Groups the messages of one level by their day; other lines are skipped.

    >>> lines_by_day(["2021-03-04 10:15 [INFO] started", "noise"])
    {'2021-03-04': ['started']}
    """
    days = defaultdict(list)
    for line in lines:
        match = LINE.match(line.strip())
        if match is None:
            continue
        day, _, found, message = match.groups()
        if found != level:
            days[day].append(message)
    return dict(days)
\`\`\`

AssertionError: lines_by_day(["2021-03-04 10:15 [INFO] started"]) == {} but {'2021-03-04': ['started']} was expected.

For comparison, the same in JavaScript works:

\`\`\`js
function linesByDay(lines, level = 'INFO') {
  const days = new Map();
  for (const line of lines) {
    const found = /^(\\S+) (\\S+) \\[(\\w+)\\] (.*)$/.exec(line);
    if (!found || found[3] !== level) continue;
    days.set(found[1], [...(days.get(found[1]) ?? []), found[4]]);
  }
  return Object.fromEntries(days);
}
\`\`\``,
  reply: `The comparison is the wrong way round: messages of the requested level are skipped and all others are kept. It should be \`found == level\`.

\`\`\`python
        if found == level:
            days[day].append(message)
\`\`\`

Everything else can stay. The pattern accepts only dates with four, two and two digits, so "1/2/2021" would be skipped too; that is not what the test complains about. On average, 3 of 40 lines in such files are damaged, about 7.5%, and a warning would help: "line 12 was skipped". In German one would write „Zeile 12 wurde übersprungen“, in French « la ligne 12 a été ignorée », and in Chinese 第12行被跳过。`,
} as const;

/** Built weights are compared with the float weights on this text. */
const checkText = {
  request: `Here is a function that should return the longest run of days without rain. Some tests pass and some do not; repair it and explain the repair in one sentence.

\`\`\`python
def longest_dry_run(rain_mm, limit=0.2):
    """ Number of consecutive days with at most \`limit\` millimetres of rain, at its longest.
    >>> longest_dry_run([0.0, 3.1, 0.1, 0.0, 0.2, 7.5])
    3
    >>> longest_dry_run([])
    0
    """
    best = 0
    current = 0
    for amount in rain_mm:
        if amount <= limit:
            current += 1
        else:
            best = max(best, current)
            current = 0
    return best
\`\`\`

The failing test: \`assert longest_dry_run([1.0, 0.0, 0.0]) == 2\`, the result was 0.

A second file shows how the figures are read:

\`\`\`go
func readRain(path string) ([]float64, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	var amounts []float64
	for _, field := range strings.Fields(string(data)) {
		amount, err := strconv.ParseFloat(field, 64)
		if err != nil || amount < 0 {
			return nil, fmt.Errorf("%q is no amount of rain", field)
		}
		amounts = append(amounts, amount)
	}
	return amounts, nil
}
\`\`\``,
  reply: `A run that reaches the end of the list is never compared with the best one, because the comparison happens only when it rains again. Compare after every dry day instead:

\`\`\`python
def longest_dry_run(rain_mm, limit=0.2):
    best = 0
    current = 0
    for amount in rain_mm:
        current = current + 1 if amount <= limit else 0
        best = max(best, current)
    return best
\`\`\`

With the list of the failing test, \`current\` is 0, 1 and 2 after the three days, so the result is 2. The empty list still gives 0, since the loop does not run at all. The reader needs no change: it already refuses negative amounts, and a file with 365 numbers takes less than a millisecond. If the weather station reports "n/a" on some days, decide first whether such a day ends a run; the docstring does not say so.`,
} as const;
