import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { context as activeContext, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { parseRunOptions } from '../../lib/options/tables/run-options.ts';
import { exportSpans } from '../../lib/run/export-spans.ts';
import { type RunParts, run } from '../../lib/run/run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { context, partsFor, tasks } from './fakes.ts';

afterEach(() => {
  trace.disable();
  activeContext.disable();
});

async function runTwo(changed: Partial<RunParts> = {}): Promise<void> {
  const out = join(await temporaryFolder(), 'r.jsonl');
  const options = parseRunOptions({ out, iters: 1, workers: 2 });
  await run(options, partsFor(tasks(2), changed), context());
}

/** The spans of a run, as sent to an exporter. */
async function spansOf(changed: Partial<RunParts> = {}): Promise<readonly ReadableSpan[]> {
  const exporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
  await runTwo(changed).catch(() => {});
  return exporter.getFinishedSpans();
}

/** `run > task > draft` */
function pathsOf(spans: readonly ReadableSpan[]): string[] {
  const pathOf = (span: ReadableSpan): string => {
    const parent = spans.find(other => other.spanContext().spanId === span.parentSpanContext?.spanId);
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return spans.map(pathOf).toSorted();
}

test('a run has spans of tasks, nodes, model calls and executions, all in one trace', async () => {
  const spans = await spansOf();
  const model = spans.find(({ name }) => name.startsWith('chat '));
  expect(pathsOf(spans)).toEqual(
    [
      'run',
      ...Array.from({ length: 2 }, () => [
        'run > task',
        'run > task > draft',
        'run > task > draft > chat script',
        'run > task > draft > execute',
      ]).flat(),
    ].toSorted(),
  );
  expect(new Set(spans.map(span => span.spanContext().traceId)).size).toBe(1);
  expect(model?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'onnx',
    'gen_ai.request.model': 'script',
    'gen_ai.request.temperature': 0,
    'gen_ai.request.max_tokens': 100,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
  });
  const task = spans.find(({ name }) => name === 'task');
  expect(task?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'reflect',
    'hefix.task.id': expect.stringMatching(/^set\//),
    'hefix.passed': true,
    'hefix.verdict': 'passed',
  });
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('def f');
});

test('a failed model call is an error in each span around it', async () => {
  const spans = await spansOf({
    createModel: async () => ({
      name: 'script',
      fingerprint: 'sha256:5',
      generate: () => Promise.reject(Object.assign(new Error('secret words'), { code: 'BACKEND_FAILED' })),
      close: async () => {},
    }),
  });
  const failed = spans.filter(({ attributes }) => attributes['error.type'] === 'BACKEND_FAILED');
  expect(new Set(failed.map(({ name }) => name))).toContain('chat script');
  expect(
    JSON.stringify(spans.map(({ status, attributes, events }) => [status, attributes, events])),
  ).not.toContain('secret');
});

test('nothing is sent unless a collector is named', async () => {
  const warned: string[] = [];
  const end = await exportSpans({ PATH: '/bin', OTEL_EXPORTER_OTLP_ENDPOINT: '' }, line => warned.push(line));
  expect(trace.getTracer('x').startSpan('x').isRecording()).toBe(false);
  await end();
  expect(warned).toEqual([]);
});

test('packages that are not installed are not missed where the process has an SDK of its own', async () => {
  vi.doMock('@opentelemetry/resources', () => {
    throw new Error('not installed');
  });
  onTestFinished(() => vi.doUnmock('@opentelemetry/resources'));
  const warned: string[] = [];
  const open = () =>
    exportSpans({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, line => warned.push(line));
  await open();
  expect(warned).toEqual([expect.stringContaining('No spans are sent')]);
  new NodeTracerProvider().register();
  await open();
  expect(warned).toHaveLength(1);
});

test('spans are sent to the collector that the environment names', async () => {
  const received: string[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void collector.close());
  const { port } = collector.address() as AddressInfo;
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  onTestFinished(() => void delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const end = await exportSpans(process.env, () => {});
  await runTwo();
  await end();
  expect(received[0]).toMatch(/^\/v1\/traces /);
  expect(received.join()).toContain('gen_ai.request.model');
  expect(received.join()).toContain('hefix');
});
