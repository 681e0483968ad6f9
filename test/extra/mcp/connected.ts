import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { parseMcpOptions } from '../../../lib/extra/mcp/mcp-options.ts';
import { createHefixServer, type HefixServer } from '../../../lib/extra/mcp/server.ts';
import { runParts } from '../../../lib/run/library/run-parts.ts';
import type { RunParts } from '../../../lib/run/run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface Connected {
  readonly client: Client;
  readonly server: HefixServer;
  /** The server's log. */
  readonly logged: readonly string[];
}

/** The SDK's own client, connected to a server in this process; both are closed with the test. */
export async function connected(
  given: Readonly<Record<string, unknown>> = {},
  parts: Partial<RunParts> = {},
): Promise<Connected> {
  const logged: string[] = [];
  // Excludes runs in the current folder.
  const options = parseMcpOptions({ results: await temporaryFolder(), ...given });
  const server = createHefixServer(options, { ...runParts(), ...parts }, sentence => logged.push(sentence));
  const client = new Client({ name: 'test', version: '1' });
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  await server.connection().connect(theirs);
  await client.connect(mine);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, server, logged };
}

/** The structured content of an answer. */
export function structured(answer: Awaited<ReturnType<Client['callTool']>>) {
  return answer.structuredContent as {
    readonly result: Record<string, unknown> | null;
    readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null;
  };
}
