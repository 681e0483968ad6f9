import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMcpOptions } from '../../../lib/extra/mcp/mcp-options.ts';
import { createHefixServer, type HefixServer } from '../../../lib/extra/mcp/server.ts';
import { runParts } from '../../../lib/run/library/run-parts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { toolFile } from '../../support/tools.ts';

/**
 * The scenarios of @modelcontextprotocol/conformance that apply to hefix. The suite only supports HTTP, so
 * the same server is served over HTTP here. The other scenarios call tools, resources and prompts of the
 * suite's own example server, or test features that hefix does not offer: prompts, logging to the client,
 * completion, subscriptions, sampling, elicitation and the HTTP transport itself.
 */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'resources-list'];

let server: HefixServer;
let address: string;
const http = createServer((request, response) => void serve(request, response));

beforeAll(async () => {
  server = createHefixServer(parseMcpOptions({}), runParts(), () => {});
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  http.close();
  http.closeAllConnections();
  await server.close();
});

test.each(scenarios)('%s', async scenario => {
  const suite = await toolFile('@modelcontextprotocol/conformance/dist/index.js');
  const ran = await execa(process.execPath, [suite, 'server', '--url', address, '--scenario', scenario], {
    cwd: await temporaryFolder(),
    reject: false,
    all: true,
  });
  expect(ran.all).toMatch(/Passed: [1-9]\d*\/[1-9]\d*, 0 failed, 0 warnings/);
  expect(ran.exitCode).toBe(0);
});

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers = new Headers(incoming.headers as Record<string, string>);
  const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
  const { method = 'GET' } = incoming;
  const handler = createMcpHandler(() => server.connection());
  const response = await handler.fetch(new Request(address, { method, headers, body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}
