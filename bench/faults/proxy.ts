import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to one connection. `after` counts bytes of the named direction. */
export type Trouble =
  | { readonly kind: 'none' }
  | { readonly kind: 'cut' | 'reset'; readonly direction: 'request' | 'answer'; readonly after: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'five-hundred'; readonly delivered: boolean };

export interface ChaosProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** A proxy between a client and a server on loopback that does to each connection what it is told. */
export async function chaosProxy(target: number, next: () => Trouble): Promise<ChaosProxy> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    sockets.add(client.on('close', () => sockets.delete(client)).on('error', () => {}));
    const trouble = next();
    if (trouble.kind === 'five-hundred' && !trouble.delivered) return void answer500(client);
    const upstream = connect(target, '127.0.0.1');
    sockets.add(upstream.on('close', () => sockets.delete(upstream)).on('error', () => client.destroy()));
    const counts = { request: 0, answer: 0 };
    const pass = (direction: 'request' | 'answer', to: Socket, chunk: Buffer) => {
      const harmed = (trouble.kind === 'cut' || trouble.kind === 'reset') && trouble.direction === direction;
      const left = harmed ? trouble.after - counts[direction] : Number.POSITIVE_INFINITY;
      counts[direction] += chunk.length;
      if (chunk.length < left) return void to.write(chunk);
      to.write(chunk.subarray(0, Math.max(0, left)), () => {
        if (harmed && trouble.kind === 'reset') client.resetAndDestroy();
        else client.destroy();
        upstream.destroy();
      });
    };
    const start = () => {
      client.on('data', (chunk) => pass('request', upstream, chunk));
      client.on('end', () => upstream.end());
    };
    upstream.on('data', (chunk) => {
      if (trouble.kind === 'five-hundred') {
        upstream.destroy();
        answer500(client);
      } else pass('answer', client, chunk);
    });
    upstream.on('end', () => client.end());
    if (trouble.kind === 'delay') setTimeout(start, trouble.ms);
    else start();
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function answer500(client: Socket): void {
  client.resume();
  client.end(
    'HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>',
  );
}

/** Trouble of every kind, at random places. @param random in [0, 1) */
export function anyTrouble(random: () => number): Trouble {
  const at = Math.floor(random() * 900);
  const direction = random() < 0.5 ? 'request' : 'answer';
  const kinds: Trouble[] = [
    { kind: 'none' },
    { kind: 'cut', direction, after: at },
    { kind: 'reset', direction, after: at },
    { kind: 'delay', ms: Math.floor(random() * 20) },
    { kind: 'five-hundred', delivered: random() < 0.5 },
  ];
  return kinds[Math.floor(random() * kinds.length)] ?? { kind: 'none' };
}

/** Repeatable randomness. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
