import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withHub } from '../../../lib/files/hub/fetch-files.ts';
import { listHubFiles } from '../../../lib/files/hub/hub-listing.ts';
import { fakeHub } from './fake-hub.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const id = 'some-org/small.model';

test.each([
  ['never answers', () => true],
  [
    'stops in the middle of an answer',
    response => response.writeHead(200, { 'Content-Length': 9 }).write('['),
  ],
] satisfies [string, (response: import('node:http').ServerResponse) => boolean][])(
  "a caller's timeout ends a request to a hub that %s, also after garbage is collected",
  async (_, answer) => {
    const hub = await fakeHub(id, {});
    hub.disturb = (_, response) => {
      answer(response);
      return true;
    };
    const options = {
      env: { HF_ENDPOINT: hub.endpoint },
      signal: AbortSignal.timeout(1000),
      // Only the caller's own timeout ends it.
      startTimer: () => () => {},
    };
    const collecting = setInterval(collect, 50);
    try {
      await expect(withHub('model', id, options, listHubFiles)).rejects.toMatchObject({
        name: 'TimeoutError',
      });
    } finally {
      clearInterval(collecting);
    }
  },
);
