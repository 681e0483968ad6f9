import type { TestResult } from './runner.ts';

/** A sentence for tests that failed because nothing in the jail reaches the network; none if there are none. */
export function needsNetwork(tests: readonly TestResult[]): string[] {
  const failed = tests.filter(({ outcome, type = '', message = '' }) => {
    const isNetwork =
      /^(?:gaierror|URLError|ConnectionError|ConnectError|ConnectTimeout|NewConnectionError|MaxRetryError|ClientConnectorError)$/;
    return (
      outcome === 'failed' &&
      (isNetwork.test(type) || /EAI_AGAIN|ENOTFOUND|fetch failed|ENETUNREACH/.test(message))
    );
  });
  if (failed.length === 0) return [];
  const names = failed.slice(0, 3).map(({ id }) => id);
  const more = failed.length > 3 ? ` and ${failed.length - 3} more` : '';
  return [
    `${names.join(', ')}${more}: the test needs the network, which is off; --allow-network turns it on.`,
  ];
}
