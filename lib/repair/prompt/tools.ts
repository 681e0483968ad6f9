import type { Attempt } from '../../core/attempt.ts';
import type { Feedback } from '../../core/choices.ts';
import type { Message, Tool } from '../../core/ports.ts';
import type { Task } from '../../core/task.ts';
import { bugPatterns } from './bug-patterns.ts';
import type { PromptOptions } from './prompts.ts';
import { failureRemark, failureText, faultText, quotedText } from './prompts.ts';
import { languageNames, taskPrompt } from './task-messages.ts';
import { readToolCall, toolName } from './tool-call.ts';
import type { ShownExample } from './worked-examples/worked-examples.ts';

export interface ToolPromptOptions extends PromptOptions {
  /** The model supports tools natively; for others they are explained in the prompt. */
  readonly nativeTools: boolean;
}

/** The parts of an attempt that enter the conversation. */
export type ToolAttempt = Pick<Attempt, 'candidate' | 'completion' | 'verdict'> &
  Partial<Pick<Attempt, 'repeated' | 'unchanged' | 'counts'>>;

/** The function that the agent `tools` may call. */
export function runCodeTool(feedback: Feedback): Tool {
  return {
    name: toolName,
    description: `${purposes[feedback]} Call it with the whole function.`,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: 'The whole fixed function.' },
        explanation: { type: 'string', description: 'What was wrong, in one sentence.' },
      },
      required: ['code', 'explanation'],
    },
  };
}

const purposes: Readonly<Record<Feedback, string>> = {
  tests: 'Runs the fixed function against its tests and tells which one fails.',
  examples: 'Runs the fixed function on the examples of its description and tells which one fails.',
  none: 'Submits the fixed function. Its tests run after you have finished.',
};

/** The whole conversation so far: the task, each call and its result. */
export function toolPrompt(
  task: Task,
  attempts: readonly ToolAttempt[],
  options: ToolPromptOptions,
): readonly Message[] {
  return [
    { role: 'system', content: systemPrompt(task, options) },
    requestFor(task),
    ...attempts.flatMap(attempt => turns(task, attempt, options)),
  ];
}

/** A worked example in the form of such a conversation. */
export function answeredByCall(
  example: ShownExample,
  options: Pick<ToolPromptOptions, 'nativeTools'>,
): readonly Message[] {
  const { fixed, explanation } = example;
  const answer = 'All tests pass.';
  return [requestFor(example), ...calledTurns({ code: fixed, explanation }, answer, options)];
}

function requestFor(task: Parameters<typeof taskPrompt>[0]): Message {
  return {
    role: 'user',
    content: `${taskPrompt(task)}\n\nCall ${toolName} with the whole fixed function.`,
  };
}

function systemPrompt(task: Task, { nativeTools, feedback }: ToolPromptOptions): string {
  const parts = [
    `You fix bugs in ${languageNames[task.language]} functions. You have one tool, ${toolName}(code, explanation).`,
    ...(nativeTools ? [] : [inWords(feedback)]),
    bugPatterns(task.language),
  ];
  return parts.join('\n\n');
}

function inWords(feedback: Feedback): string {
  const { description } = runCodeTool(feedback);
  const call = { name: toolName, arguments: { code: 'the whole function', explanation: 'what was wrong' } };
  return `${description} To call it, answer with nothing but this JSON:\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
}

function turns(task: Task, attempt: ToolAttempt, options: ToolPromptOptions): Message[] {
  const call = readToolCall(attempt.completion);
  const answer = answerTo(task, attempt, options);
  if ('fault' in call) {
    return [
      { role: 'assistant', content: quotedText(attempt.completion, LONGEST_QUOTE) },
      { role: 'user', content: answer },
    ];
  }
  const code = attempt.candidate ?? call.code;
  return calledTurns({ code, explanation: call.explanation }, answer, options);
}

/** A call, rewritten in the form that the model should use, and its result. */
function calledTurns(
  { code, explanation }: { readonly code: string; readonly explanation: string },
  answer: string,
  { nativeTools }: Pick<ToolPromptOptions, 'nativeTools'>,
): Message[] {
  const callArguments = { code: code.trimEnd(), explanation };
  if (nativeTools) {
    const toolCalls = [{ name: toolName, arguments: JSON.stringify(callArguments) }];
    return [
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', content: answer },
    ];
  }
  const call = JSON.stringify({ name: toolName, arguments: callArguments });
  return [
    { role: 'assistant', content: `<tool_call>\n${call}\n</tool_call>` },
    { role: 'user', content: `<tool_response>\n${answer}\n</tool_response>` },
  ];
}

function answerTo(task: Task, attempt: ToolAttempt, options: PromptOptions): string {
  const { verdict } = attempt;
  if (verdict?.kind === 'no-code') return `${verdict.message} Call ${toolName} with the whole function.`;
  if (verdict?.kind === 'syntax' || verdict?.kind === 'signature') return faultText(task, attempt, options);
  if (attempt.repeated) return warning(task, attempt, options);
  return failureRemark(task, attempt, options);
}

function warning(task: Task, { verdict, unchanged }: ToolAttempt, options: PromptOptions): string {
  const opening = unchanged
    ? 'Warning: this is the function with the bug, unchanged.'
    : 'Warning: this code is identical to an earlier submission and was not run again.';
  const failure = verdict === null ? '' : failureText(task, verdict, options);
  return [opening, ...(failure === '' ? [] : [failure]), 'Change something else.'].join('\n');
}

/** Of an answer without a call: models tend to repeat long texts that they see. */
const LONGEST_QUOTE = 500;
