import { Template } from '@huggingface/jinja';
import type { Message, Tool } from '../../core/ports.ts';
import { modelTemplateFailed } from '../errors.ts';
import { plainRoles } from './plain-roles.ts';

export interface ChatTemplateSource {
  /** Jinja source, as in the model's files. */
  readonly text: string;
  /** Where it came from, for error messages. */
  readonly file: string;
  /** `bos_token`, `eos_token` and so on. */
  readonly specialTokens: Readonly<Record<string, string>>;
}

export type ChatTemplate = (
  messages: readonly Message[],
  tools?: readonly Tool[],
  /** For templates that support it, such as Qwen3's; off by default. */
  thinking?: boolean,
) => string;

/** Whether the template supports tools. */
export function takesTools({ text }: ChatTemplateSource): boolean {
  return /\btools\b/.test(text);
}

/**
 * Returns a function from messages to the text of a prompt that ends where the assistant's answer starts.
 * Templates that ask for today's date always get the same one, so that a run can be repeated on any day. The system
 * text of a template that drops it becomes part of the first turn, unless `omitsSystem`.
 * Throws MODEL_TEMPLATE_FAILED if the template is not valid Jinja or rejects the messages.
 */
export function createChatTemplate(source: ChatTemplateSource, omitsSystem = false): ChatTemplate {
  const template = explained(source.file, () => new Template(source.text));
  // The engine's own strftime_now returns today's date; it can only be overridden by a statement, not by a
  // value.
  template.parsed.body.unshift(...new Template('{% set strftime_now = fixed_strftime_now %}').parsed.body);
  const render: ChatTemplate = (messages, tools, thinking = false) =>
    explained(source.file, () =>
      template.render({
        ...source.specialTokens,
        messages: messages.map(turnOf),
        ...(tools ? { tools: tools.map(tool => ({ type: 'function', function: tool })) } : {}),
        add_generation_prompt: true,
        enable_thinking: thinking,
        fixed_strftime_now: (format: string) => strftime(TEMPLATE_DATE, format),
      }),
    );
  return omitsSystem ? render : withAnyRoles(render);
}

/** Renders plain roles if the template refuses the messages' own, or drops the system text; found out once. */
function withAnyRoles(render: ChatTemplate): ChatTemplate {
  let isPlain = false;
  return (messages, ...others) => {
    if (isPlain) return render(plainRoles(messages), ...others);
    const system = messages.find(({ role }) => role === 'system')?.content.trim() ?? '';
    try {
      const text = render(messages, ...others);
      if (text.includes(system)) return text;
    } catch (error) {
      const plain = plainRoles(messages);
      if (plain.length === messages.length) throw error;
      const text = render(plain, ...others);
      isPlain = true;
      return text;
    }
    const text = render(plainRoles(messages), ...others);
    isPlain = text.includes(system);
    return isPlain ? text : render(messages, ...others);
  };
}

/** As templates expect it: calls in the format of servers, except that arguments are an object. */
function turnOf({ role, content, toolCalls }: Message) {
  if (!toolCalls) return { role, content };
  const calls = toolCalls.map(({ name, arguments: argumentText }) => ({
    type: 'function',
    function: { name, arguments: objectOf(argumentText) },
  }));
  return { role, content, tool_calls: calls };
}

function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const TEMPLATE_DATE = new Date(Date.UTC(2025, 0, 1));

function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw modelTemplateFailed(file, cause);
  }
}

/** A prompt up to the end of its last message, which the completion continues. */
export async function openPrompt(
  render: (messages: readonly Message[]) => Promise<string>,
  messages: readonly Message[],
): Promise<string> {
  const last = messages.at(-1);
  if (!last) return '';
  const text = await render([...messages.slice(0, -1), { ...last, content: last.content + END }]);
  const end = text.lastIndexOf(END);
  return end === -1 ? text : text.slice(0, end);
}

/** A private-use character of Unicode: no message contains it, and no template strips it as white space. */
const END = '\uE000';

/**
 * Python's strftime for the codes that chat templates use, in UTC and English; other codes are left
 * unchanged.
 */
function strftime(date: Date, format: string): string {
  return format.replace(/%([a-zA-Z%])/g, (written, code: string) => codes[code]?.(date) ?? written);
}

const codes: Readonly<Record<string, (date: Date) => string>> = {
  Y: date => String(date.getUTCFullYear()),
  y: date => twoDigits(date.getUTCFullYear() % 100),
  m: date => twoDigits(date.getUTCMonth() + 1),
  d: date => twoDigits(date.getUTCDate()),
  H: date => twoDigits(date.getUTCHours()),
  M: date => twoDigits(date.getUTCMinutes()),
  S: date => twoDigits(date.getUTCSeconds()),
  B: date => named(date, { month: 'long' }),
  b: date => named(date, { month: 'short' }),
  A: date => named(date, { weekday: 'long' }),
  a: date => named(date, { weekday: 'short' }),
  '%': () => '%',
};

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function named(date: Date, part: Intl.DateTimeFormatOptions): string {
  return date.toLocaleDateString('en-US', { ...part, timeZone: 'UTC' });
}
