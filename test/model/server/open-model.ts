import { onTestFinished } from 'vitest';
import type { GenerateRequest } from '../../../lib/core/ports.ts';
import { serverAt } from '../../../lib/model/server/providers.ts';
import { createServerModel, type ServerModelOptions } from '../../../lib/model/server/server-model.ts';
import type { TestServer } from './test-server.ts';

/** A model behind a test server, with its warnings; waits have their minimum length. */
export function openModel({ baseUrl }: TestServer, changed: Partial<ServerModelOptions> = {}) {
  const warnings: string[] = [];
  const model = createServerModel({
    server: serverAt(baseUrl),
    model: 'coder',
    keys: [],
    maxTries: 1,
    warn: sentence => warnings.push(sentence),
    random: () => 1,
    ...changed,
  });
  onTestFinished(() => model.close());
  return Object.assign(model, { warnings });
}

export function asking(content: string, changed: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    messages: [{ role: 'user', content }],
    temperature: 0.2,
    topP: 0.95,
    topK: 0,
    maxNewTokens: 64,
    seed: 42,
    ...changed,
  };
}
