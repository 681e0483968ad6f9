import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A streaming chat completions server with a fixed latency, in milliseconds, that answers with the function that the
 * prompt ends with.
 */
const latency = Number(process.argv[2]);
let connections = 0;
const usage = { prompt_tokens: 12, completion_tokens: 40, total_tokens: 52 };
const server = createServer(async (request, response) => {
  if (!request.url.endsWith('/chat/completions')) {
    request.resume();
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    return;
  }
  const chunks = [];
  request.on('data', chunk => chunks.push(chunk));
  await wait(latency);
  const [, number = ''] = [...String(Buffer.concat(chunks)).matchAll(/def plus_(\d+)/g)].at(-1) ?? [];
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodyOf(number));
});
server.on('connection', () => connections++);
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  process.send({ connections }, () => process.exit(0));
});

function bodyOf(number) {
  const content = `\`\`\`python\ndef plus_${number}(x):\n    return x + ${number}\n\`\`\``;
  const events = [
    { choices: [{ index: 0, delta: { content }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ];
  return `${events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}
