import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { HefixError, reason } from '../../core/errors.ts';
import type { Task } from '../../core/task.ts';
import { pathHint } from '../../files/paths.ts';
import { readRegular } from '../../files/untrusted-file.ts';
import { closest } from '../../options/option.ts';

/** A candidate that was made elsewhere. */
export interface Sample {
  /**
   * `completion`: a model's answer, or text that continues the declaration; the function is extracted from
   * it. `solution`: a whole program, judged as it is. `generation`: a program of the harness's
   * generations.json.
   */
  readonly form: 'completion' | 'solution' | 'generation';
  /** Empty if the file has `null` in its place: the sample counts as failed. */
  readonly text: string;
  /** Why there is no text, as far as the file says it. */
  readonly absence?: string;
}

/** The samples of a file, before they are matched with a dataset. */
export interface SamplesFile {
  readonly path: string;
  /** A hash of the file. */
  readonly fingerprint: string;
  readonly content:
    | { readonly kind: 'rows'; readonly rows: readonly SampleRow[] }
    | { readonly kind: 'generations'; readonly lists: readonly (readonly (string | null)[])[] };
}

interface SampleRow {
  /** 1-based. */
  readonly line: number;
  readonly taskId: string;
  readonly sample: Sample;
}

/**
 * Reads JSON Lines (`task_id` with `completion` or `solution`), or a list of lists of programs in the order of the
 * tasks, as the bigcode evaluation harness writes it; both may be compressed with gzip.
 * Rejects with `SAMPLES_NOT_READABLE`, `SAMPLES_EMPTY` or `SAMPLES_INVALID`.
 */
export async function readSamples(path: string): Promise<SamplesFile> {
  const bytes = await readRegular(path, LARGEST).catch(cause => {
    throw samplesNotReadable(path, cause);
  });
  const text = decoded(path, bytes);
  if (text.trim() === '') throw samplesEmpty(path);
  const fingerprint = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const content = text.trimStart().startsWith('[') ? generationsIn(path, text) : rowsIn(path, text);
  return { path, fingerprint, content };
}

/** The largest number of samples of one task. */
export function maxSamples({ content }: SamplesFile): number {
  if (content.kind === 'generations') return Math.max(...content.lists.map(list => list.length));
  const counts = new Map<string, number>();
  for (const { taskId } of content.rows) counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
  return Math.max(...counts.values());
}

/**
 * The samples of each task by id, in the order of the file. Samples of unselected tasks of the dataset are
 * left out.
 * @throws HefixError (`SAMPLES_UNKNOWN_TASK`, `SAMPLES_COUNT`, or `SAMPLES_INVALID` without any sample of these tasks)
 */
export function samplesByTask(
  { path, content }: SamplesFile,
  dataset: { readonly name: string; readonly tasks: readonly Task[] },
  selected: readonly Task[],
): ReadonlyMap<string, readonly Sample[]> {
  if (content.kind === 'generations') {
    const { lists } = content;
    if (lists.length !== selected.length)
      throw samplesCount(path, lists.length, selected.length, dataset.name);
    return new Map(
      selected.map((task, index) => [
        task.id,
        (lists[index] ?? []).map(text => sampleOf('generation', text)),
      ]),
    );
  }
  const taskIds = new Set(dataset.tasks.map(({ id }) => id));
  const chosen = new Map<string, Sample[]>(selected.map(({ id }) => [id, []]));
  for (const { line, taskId, sample } of content.rows) {
    if (!taskIds.has(taskId)) {
      throw samplesUnknownTask(path, line, taskId, dataset.name, closest(taskId, [...taskIds]));
    }
    chosen.get(taskId)?.push(sample);
  }
  if ([...chosen.values()].every(samples => samples.length === 0)) {
    throw samplesInvalid(path, null, 'holds no sample of the selected tasks');
  }
  return chosen;
}

function decoded(path: string, bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (cause) {
    throw samplesInvalid(path, null, `is not UTF-8 text: ${reason(cause)}`);
  }
}

/** Maximum size of a file, also decompressed, in bytes. */
const LARGEST = 2 ** 29;

const generationsSchema = z.array(z.array(z.string().nullable()));

function generationsIn(path: string, text: string): SamplesFile['content'] {
  const parsed = generationsSchema.safeParse(parsedJson(path, null, text));
  if (!parsed.success) {
    const [task, sample] = parsed.error.issues[0]?.path ?? [];
    const where =
      task === undefined
        ? null
        : `task ${Number(task) + 1}${sample === undefined ? '' : `, sample ${Number(sample) + 1}`}`;
    throw samplesInvalid(path, where, `is not ${sample === undefined ? 'a list of programs' : 'text'}`);
  }
  if (parsed.data.flat().length === 0) throw samplesEmpty(path);
  return { kind: 'generations', lists: parsed.data };
}

function rowsIn(path: string, text: string): SamplesFile['content'] {
  const rows = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const number = index + 1;
    return [{ line: number, ...rowOf(path, number, parsedJson(path, `line ${number}`, line)) }];
  });
  return { kind: 'rows', rows };
}

function rowOf(path: string, line: number, value: unknown): Omit<SampleRow, 'line'> {
  const invalid = (problem: string) => samplesInvalid(path, `line ${line}`, problem);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('is not an object');
  const row = new Map<string, unknown>(Object.entries(value));
  const names = [...row.keys()];
  const columns = names.length > 6 ? `${names.slice(0, 6).join(', ')}, …` : names.join(', ') || 'no columns';
  const taskId = row.get('task_id');
  if (taskId === undefined) throw invalid(`has no task_id, but ${columns}`);
  if (typeof taskId !== 'string') throw invalid('has a task_id that is not text');
  const named = (['completion', 'solution'] as const).filter(form => row.has(form));
  const [form = named[0], other] = named.filter(name => row.get(name) !== null);
  if (form === undefined) throw invalid(`has neither completion nor solution, but ${columns}`);
  if (other !== undefined) throw invalid('has both completion and solution');
  const text = row.get(form);
  if (typeof text !== 'string' && text !== null) throw invalid(`has a ${form} that is not text`);
  return { taskId, sample: sampleOf(form, text, row) };
}

/** Without a byte order mark, which Python reads in files but not in a program's text. */
function sampleOf(
  form: Sample['form'],
  text: string | null,
  row: ReadonlyMap<string, unknown> = new Map(),
): Sample {
  if (text !== null) return { form, text: text.replace(/^\uFEFF/, '') };
  const reasons = ['refusal', 'error', 'finish_reason'].flatMap(name => {
    const value = row.get(name);
    if (value == null) return [];
    return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, 300);
  });
  return { form, text: '', absence: reasons.join(', ') };
}

function parsedJson(path: string, where: string | null, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw samplesInvalid(path, where, `is not JSON: ${reason(cause)}`);
  }
}

function samplesNotReadable(path: string, cause: unknown): HefixError {
  return new HefixError(
    'SAMPLES_NOT_READABLE',
    `${path} cannot be read: ${reason(cause)}.`,
    pathHint(path),
    cause,
  );
}

function samplesEmpty(path: string): HefixError {
  return new HefixError(
    'SAMPLES_EMPTY',
    `${path} holds no samples.`,
    'Give a file with at least one sample.',
  );
}

/** `where`: `line 3`, or `task 3, sample 1`; null if it is the whole file. */
function samplesInvalid(path: string, where: string | null, problem: string): HefixError {
  return new HefixError(
    'SAMPLES_INVALID',
    `${path}${where === null ? '' : `, ${where},`} ${problem}.`,
    'Give JSON Lines with task_id and either completion or solution, or a generations.json: a list of lists of programs.',
  );
}

function samplesUnknownTask(
  path: string,
  line: number,
  id: string,
  dataset: string,
  nearest: string | undefined,
): HefixError {
  return new HefixError(
    'SAMPLES_UNKNOWN_TASK',
    `${path}, line ${line}, is for the task ${JSON.stringify(id)}, which ${dataset} does not have.`,
    nearest === undefined ? 'Choose its dataset with --dataset and --lang.' : `Did you mean ${nearest}?`,
  );
}

function samplesCount(path: string, lists: number, tasks: number, dataset: string): HefixError {
  return new HefixError(
    'SAMPLES_COUNT',
    `${path} holds samples of ${lists} tasks, but ${tasks} tasks of ${dataset} are selected.`,
    lists < tasks
      ? `Add --limit ${lists} if it holds the first ones.`
      : 'Choose its dataset with --dataset and --lang.',
  );
}
