import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

/**
 * Connections to a server, through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY configure. Time limits
 * are set per request: undici's default of five minutes is too short for a large model on a slow computer.
 */
export function openConnections(baseUrl: string): Dispatcher {
  const options = { headersTimeout: 0, bodyTimeout: 0 };
  return isLoopback(new URL(baseUrl).hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Why a connection failed, as the end of a sentence. */
export function connectionFault(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code = codeOf(error) || codeOf(inner);
  const fault = faults[code];
  if (fault !== undefined) return fault;
  const message = inner instanceof Error ? inner.message : String(inner);
  return code === '' ? message : `${message} (${code})`;
}

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is reset',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  UND_ERR_SOCKET: 'the connection was closed',
};

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
