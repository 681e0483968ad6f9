import { HefixError } from '../core/errors.ts';

/** Whether the prompt exceeds the model's context, so that a retry would fail too. */
export function isTooLong(code: string): boolean {
  return code === 'MODEL_PROMPT_TOO_LONG' || code === 'BACKEND_CONTEXT_TOO_LONG';
}

/** The dataset lacks the column `prompt`, the declaration with its docstring. */
export function protocolNeedsPrompt(task: string, protocol: string): HefixError {
  return new HefixError(
    'PROTOCOL_NEEDS_PROMPT',
    `${protocol} shows the declaration with its docstring, which ${task} does not have.`,
    'Use a dataset with the column prompt, such as HumanEvalPack, or --prompt humanevalfixtests.',
  );
}
