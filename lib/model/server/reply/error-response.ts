import { type SamplingParameter, samplingParameters } from '../../../core/choices.ts';
import {
  backendAddressWrong,
  backendContextTooLong,
  backendFailed,
  backendKeyMissing,
  backendKeyRefused,
  backendLimited,
  backendModelUnknown,
  backendParameterRefused,
  backendRequestRefused,
  RequestFailure,
} from '../errors.ts';
import type { ApiKey } from '../key-ring.ts';
import type { Server } from '../providers.ts';
import { type ServerWords, serverWords } from './error-body.ts';

/** A reply that is not a completion. */
export interface ErrorResponse {
  readonly server: Server;
  readonly model: string;
  /** Null if the request had none. */
  readonly key: ApiKey | null;
  readonly status: number;
  /** The body, with keys redacted. */
  readonly body: string;
  /** Target of a redirect; empty if there is none. */
  readonly location: string;
  /** The requested wait in milliseconds; null if there is none. */
  readonly retryAfterMs: number | null;
  /**
   * If the server's list lacks the model, a description of the list; null if the model is listed or there is
   * no list.
   */
  readonly listed: string | null;
}

/**
 * Interprets a reply with an error status. Servers agree on statuses and little else, so prompts that are too
 * long and unknown or unsupported parameters are recognised by the wording of OpenAI, vLLM, TGI, llama.cpp,
 * Ollama, LiteLLM, transformers, Together and Hugging Face's router.
 */
export function readErrorResponse(errorResponse: ErrorResponse): RequestFailure {
  const { server, status, location, retryAfterMs } = errorResponse;
  const said = serverWords(errorResponse.body);
  const reason = `${said.message} (${status})`;
  const address = server.baseUrl;
  if (status < 400) return giveUp(backendAddressWrong(address, redirection(status, location)));
  if (status === 429 && !hasNoCredit(said)) {
    const error = backendLimited(address, reason, retryAfterMs === null ? null : retryAfterMs / 1000);
    return new RequestFailure(error, { do: 'rest-key', waitMs: retryAfterMs });
  }
  if ([401, 402, 403, 429].includes(status)) return keyRefused(errorResponse, reason);
  // llama.cpp answers with status 500 if the template refuses the roles.
  if (ROLES.test(said.message)) {
    return new RequestFailure(backendRequestRefused(address, status, said.message), {
      do: 'adapt',
      dialect: { roles: 'plain' },
    });
  }
  if (RETRIED.includes(status) || status >= 500) {
    const overload = OVERLOADED.includes(status) ? { overload: true as const } : {};
    return new RequestFailure(backendFailed(address, reason), {
      do: 'retry',
      waitMs: retryAfterMs,
      ...overload,
    });
  }
  return requestRefused(errorResponse, said);
}

/** The words of templates (Gemma, Mistral, Llama 2) and of Gemini's address for Gemma. */
const ROLES =
  /system (role|message|prompt)s?\b.{0,40}not (supported|allowed|enabled)|(no|not support\w*|n't support) (the )?system (role|message|prompt)|developer instruction is not enabled|roles? must (alternate|be alternating)|roles? should alternate|only user\W+(and )?assistant.{0,30}roles|unsupported role.{0,10}system/i;

/** In addition to 429 and 5xx. */
const RETRIED = [408, 409, 425];
const OVERLOADED = [503, 529];

function keyRefused({ server, key }: ErrorResponse, reason: string): RequestFailure {
  if (key === null) return giveUp(backendKeyMissing(server.baseUrl, server.keyNames));
  return new RequestFailure(backendKeyRefused(server.baseUrl, key.label, reason), { do: 'drop-key' });
}

/** No credit left: waiting does not help. */
function hasNoCredit({ code, message }: ServerWords): boolean {
  return code === 'insufficient_quota' || /exceeded your current quota/i.test(message);
}

function requestRefused({ server, model, status, listed }: ErrorResponse, said: ServerWords): RequestFailure {
  const address = server.baseUrl;
  const { message } = said;
  if (status === 413 || CONTEXT.test(`${said.code} ${message}`)) {
    return giveUp(backendContextTooLong(address, model, message));
  }
  if (MODEL.test(`${said.code} ${message}`) || (status === 404 && /model/i.test(message))) {
    return giveUp(backendModelUnknown(address, model, message));
  }
  if (status === 404 || status === 405) {
    return giveUp(backendAddressWrong(address, `is not there: ${message} (${status})`));
  }
  const parameter = parameterRefused(address, said);
  if (parameter) return parameter;
  if (listed !== null)
    return giveUp(backendModelUnknown(address, model, `${message} (${status}); ${listed}`));
  return giveUp(backendRequestRefused(address, status, message));
}

const CONTEXT =
  /context[ _]length|context[ _]size|context window|maximum context|input (length )?(is too long|exceeds)|prompt is too long|too many (input )?tokens|tokens.*must be <=|reduce the length/i;
const MODEL =
  /model_not_found|model_not_supported|model_not_available|invalid model name|\bpinned to\b|model.{0,80}(does not exist|not found|is not supported by any provider)|unable to access model/i;

/** Optional parameters are dropped; parameters that the user set are dropped only on request. */
function parameterRefused(address: string, said: ServerWords): RequestFailure | null {
  const text = `${said.parameter} ${said.message}`;
  if (/max_completion_tokens/.test(text) && /\bmax_tokens/.test(text)) {
    const error = backendParameterRefused(address, 'max_tokens', said.message);
    return new RequestFailure(error, { do: 'adapt', dialect: { maxTokensName: 'max_completion_tokens' } });
  }
  // «"auto" tool choice requires --enable-auto-tool-choice», «tool use is not supported».
  const about = /\btools?(?:[ _-]|$)/i.test(text) ? `${text} tools` : text;
  const onThinking = thinkingParameter(text);
  if (onThinking !== null) {
    const error = backendParameterRefused(address, onThinking, said.message);
    return new RequestFailure(error, { do: 'adapt', dialect: { thinking: 'none' } });
  }
  const named = samplingParameters.find(parameter => mentions(about, parameter));
  if (named !== undefined) return giveUp(backendParameterRefused(address, named, said.message));
  if (!/\bstream/i.test(text)) return null;
  const error = backendParameterRefused(address, 'stream', said.message);
  return new RequestFailure(error, { do: 'adapt', dialect: { stream: false } });
}

/**
 * Ollama says «invalid reasoning value: 'none'», «think value "none" is not supported for this model» or
 * «"qwen2.5-coder:0.5b" does not support thinking».
 */
function thinkingParameter(text: string): SamplingParameter | null {
  if (mentions(text, 'chat_template_kwargs')) return 'chat_template_kwargs';
  return /reasoning_effort|(reasoning|think) value|does not support thinking/i.test(text)
    ? 'reasoning_effort'
    : null;
}

function mentions(text: string, parameter: SamplingParameter): boolean {
  return new RegExp(`\\b${parameter}\\b`, 'i').test(text);
}

function redirection(status: number, location: string): string {
  return location === '' ? `answers with status ${status}` : `redirects to ${location}`;
}

function giveUp(error: RequestFailure['error']): RequestFailure {
  return new RequestFailure(error, { do: 'give-up' });
}
