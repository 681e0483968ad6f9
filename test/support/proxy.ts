import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy that connects every host to the server at a port; `hosts` are the requested ones. */
export async function startProxy(port: number): Promise<{ address: string; hosts: string[] }> {
  const hosts: string[] = [];
  const proxy = createServer().on('connect', (incoming, socket) => {
    hosts.push(incoming.url ?? '');
    const server = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      server.pipe(socket).pipe(server);
    });
    const end = () => {
      server.destroy();
      socket.destroy();
    };
    server.on('error', end);
    socket.on('error', end);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.close();
  });
  return { address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, hosts };
}
