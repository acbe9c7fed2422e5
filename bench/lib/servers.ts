import type { BenchApp } from './app.ts';
import { fn, limit } from './in-turn.ts';
import { Server } from './process.ts';

let port = 18_500 + Math.floor(Math.random() * 500);

export interface Served {
  readonly server: Server;
  /** Address of a function, with its parameter. */
  readonly url: (name: string) => string;
  readonly file: (name: string) => string;
}

export function serveOurs({ root }: BenchApp): Served {
  port++;
  const base = `http://127.0.0.1:${port}/api/dev/custom-functions/bench`;
  const server = new Server({ argv: fn('dev', '--port', String(port)), cwd: root });
  return { server, url: (name) => `${base}/${name}.js?n=7`, file: (name) => `${root}/functions/${name}.js` };
}

export function serveLimit({ plain }: BenchApp, isolation: 'fresh' | 'warm'): Served {
  port++;
  const base = `http://127.0.0.1:${port}`;
  const server = new Server({ argv: limit('dev-server.mjs', plain, String(port), isolation) });
  return { server, url: (name) => `${base}/${name}?n=7`, file: (name) => `${plain}/${name}.js` };
}

/** As the limit in warm mode, with the isolate in a process of its own. */
export function serveLimitInChild({ plain }: BenchApp): Served {
  port++;
  const base = `http://127.0.0.1:${port}`;
  const server = new Server({ argv: limit('child-server.mjs', plain, String(port)) });
  return { server, url: (name) => `${base}/${name}?n=7`, file: (name) => `${plain}/${name}.js` };
}

export function serveNothing(): Served {
  port++;
  const url = `http://127.0.0.1:${port}/`;
  return { server: new Server({ argv: limit('bare-http.mjs', String(port)) }), url: () => url, file: () => '' };
}
