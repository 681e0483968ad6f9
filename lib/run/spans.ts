import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { descriptionOf, type GenerateRequest, type Sandbox, type TextModel } from '../core/ports.ts';
import type { RunRecord } from '../core/record.ts';
import type { RunOptions } from '../options/tables/run-options.ts';
import type { Job } from './plan.ts';

/**
 * The spans of a run: run → task → node → model call or execution. They do nothing unless the process has an
 * OpenTelemetry SDK. Names of attributes follow the conventions for generative AI; prompts, completions and code
 * are never included. https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export interface RunSpans {
  job(job: Job, model: TextModel, sandbox: Sandbox): JobSpans;
  end(): void;
  fail(error: unknown): void;
}

/** The spans of one task and sample, with the model and the sandbox that report to them. */
export interface JobSpans {
  readonly model: TextModel;
  readonly sandbox: Sandbox;
  /** A state of the agent is entered, which ends the previous one. */
  entered(state: string): void;
  end(record: RunRecord): void;
  fail(error: unknown): void;
}

interface RunSpanFacts {
  readonly model: string;
  /** The server's kind, or where the model runs: `openai`, `onnx`. */
  readonly provider: string;
  readonly agent: string;
  readonly dataset: string;
}

type SpanOptions = Pick<RunOptions, 'backend' | 'provider' | 'baseUrl' | 'agent'>;

export function startRunSpans(
  options: SpanOptions,
  { model, dataset }: { readonly model: string; readonly dataset: string },
): RunSpans {
  const facts = { model, dataset, agent: options.agent, provider: providerOf(options) };
  const whole = startSpan('run', { 'hefix.dataset': facts.dataset, ...agentOf(facts) }, context.active());
  return {
    job: (job, model, sandbox) => startJobSpans(job, model, sandbox, facts, contextIn(whole)),
    end: () => whole.end(),
    fail: error => fail(whole, error),
  };
}

/** Who answers: a server's provider, or the local backend. */
function providerOf({ backend, provider, baseUrl }: SpanOptions): string {
  if (backend !== 'openai') return backend;
  return provider ?? (baseUrl === undefined ? 'openai' : 'openai-compatible');
}

function startJobSpans(
  { task, sample }: Job,
  model: TextModel,
  sandbox: Sandbox,
  facts: RunSpanFacts,
  parent: Context,
): JobSpans {
  const whole = startSpan(
    'task',
    {
      'gen_ai.operation.name': 'invoke_agent',
      'hefix.task.id': task.id,
      'hefix.sample': sample,
      ...agentOf(facts),
    },
    parent,
  );
  const inTask = contextIn(whole);
  let node: Span | null = null;
  const within = () => (node === null ? inTask : contextIn(node));
  return {
    model: tracedModel(model, facts, within),
    sandbox: tracedSandbox(sandbox, within),
    entered(state) {
      node?.end();
      node = FINAL_STATES.includes(state) ? null : startSpan(state, { 'hefix.node': state }, inTask);
    },
    end({ passed, iters, verdict, token_usage, error }) {
      node?.end();
      whole.setAttributes({
        'hefix.iterations': iters,
        'gen_ai.usage.input_tokens': token_usage.prompt,
        'gen_ai.usage.output_tokens': token_usage.completion,
        ...(passed === null ? {} : { 'hefix.passed': passed }),
        ...(verdict === null ? {} : { 'hefix.verdict': verdict.kind }),
      });
      if (error === null) whole.end();
      else fail(whole, Object.assign(new Error(error.message), { code: error.code }));
    },
    fail(error) {
      node?.end();
      fail(whole, error);
    },
  };
}

const FINAL_STATES = ['solved', 'unsolved', 'error'];

function tracedModel(model: TextModel, facts: RunSpanFacts, within: () => Context): TextModel {
  const call = <T extends { promptTokens: number; completionTokens: number }>(
    operation: 'chat' | 'beams' | 'score',
    asked: Attributes,
    ask: () => Promise<T>,
  ) =>
    inSpan(
      `${operation} ${facts.model}`,
      {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': facts.provider,
        'gen_ai.request.model': facts.model,
        ...asked,
      },
      within,
      ask,
      ({ promptTokens, completionTokens, ...rest }) => ({
        'gen_ai.usage.input_tokens': promptTokens,
        'gen_ai.usage.output_tokens': completionTokens,
        ...('finish' in rest ? { 'gen_ai.response.finish_reasons': [String(rest.finish)] } : {}),
      }),
    );
  const { beams, score } = model;
  return {
    ...descriptionOf(model),
    ...(beams && {
      beams: (request, options) =>
        call('beams', { 'gen_ai.request.max_tokens': request.maxNewTokens }, () =>
          beams.call(model, request, options),
        ),
    }),
    ...(score && {
      score: (request, options) => call('score', {}, () => score.call(model, request, options)),
    }),
    generate: (request, options) =>
      call('chat', requestAttributes(request), () => model.generate(request, options)),
    close: () => model.close(),
  };
}

function requestAttributes({ temperature, topP, topK, maxNewTokens, seed }: GenerateRequest): Attributes {
  return {
    'gen_ai.request.temperature': temperature,
    'gen_ai.request.top_p': topP,
    'gen_ai.request.top_k': topK,
    'gen_ai.request.max_tokens': maxNewTokens,
    'gen_ai.request.seed': seed,
  };
}

function tracedSandbox(sandbox: Sandbox, within: () => Context): Sandbox {
  return {
    isolation: sandbox.isolation,
    warning: sandbox.warning ?? null,
    runtime: sandbox.runtime,
    checkSyntax: (...parameters) => sandbox.checkSyntax(...parameters),
    execute: (request, signal) =>
      inSpan(
        'execute',
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'sandbox',
          'hefix.language': request.language,
        },
        within,
        () => sandbox.execute(request, signal),
        ({ verdict }) => ({ 'hefix.verdict': verdict.kind }),
      ),
    close: () => sandbox.close(),
  };
}

async function inSpan<T>(
  name: string,
  attributes: Attributes,
  within: () => Context,
  action: () => Promise<T>,
  result: (value: T) => Attributes,
): Promise<T> {
  // The agent calls as it enters a state; the state is reported right after that.
  await Promise.resolve();
  const span = startSpan(name, attributes, within(), SpanKind.CLIENT);
  try {
    const value = await context.with(contextIn(span), action);
    span.setAttributes(result(value));
    span.end();
    return value;
  } catch (error) {
    fail(span, error);
    throw error;
  }
}

function startSpan(name: string, attributes: Attributes, parent: Context, kind = SpanKind.INTERNAL): Span {
  return trace.getTracer('hefix').startSpan(name, { attributes, kind }, parent);
}

function contextIn(span: Span): Context {
  return trace.setSpan(context.active(), span);
}

function agentOf({ agent, model }: RunSpanFacts): Attributes {
  return { 'gen_ai.agent.name': agent, 'gen_ai.request.model': model };
}

/** Messages of errors may quote code, so only the kind of error is sent. */
function fail(span: Span, error: unknown): void {
  const { code, name } = Object(error);
  span.setAttribute('error.type', String(code ?? name ?? 'unknown'));
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
