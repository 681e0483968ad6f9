import type { TestResult } from '../../core/project-tests.ts';

/** Failing tests that needed the network, which jails do not have: they cannot confirm any change. */
export function networkTests(tests: readonly TestResult[]): string[] {
  return tests
    .filter(({ outcome, type = '', message = '' }) => {
      if (outcome !== 'failed') return false;
      const isRefused = type === 'PermissionError' && !/[:'"]/.test(message.replace(/^\[Errno 1\]/, ''));
      return NETWORK_ERROR.test(type) || isRefused || NETWORK_MESSAGE.test(message);
    })
    .map(({ id }) => id);
}

const NETWORK_ERROR =
  /^(?:gaierror|URLError|ConnectionError|ConnectionRefusedError|ConnectError|ConnectTimeout|NewConnectionError|MaxRetryError|ClientConnectorError)$/;
const NETWORK_MESSAGE =
  /EAI_AGAIN|ENOTFOUND|listen EPERM|connect EPERM|connect ECONNREFUSED|ENETUNREACH|fetch failed|Name or service not known|urlopen error/;

/** A note about these tests, if there are any. */
export function networkNote(ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const names = ids.slice(0, 3).join(', ');
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return [
    `Not repaired, because the test needs the network, which --allow-network gives them: ${names}${more}.`,
  ];
}
