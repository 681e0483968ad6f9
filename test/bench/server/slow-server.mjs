import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** A streaming chat completions server with a fixed latency, in milliseconds. */
const latency = Number(process.argv[2]);
let connections = 0;
const usage = { prompt_tokens: 12, completion_tokens: 40, total_tokens: 52 };
const events = [
  {
    choices: [
      { index: 0, delta: { content: '```python\ndef f():\n    return 1\n```' }, finish_reason: null },
    ],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage },
];
const body = `${events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
const server = createServer(async (request, response) => {
  request.resume();
  if (!request.url.endsWith('/chat/completions')) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    return;
  }
  await wait(latency);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
});
server.on('connection', () => connections++);
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ connections }, () => process.exit(0));
});
