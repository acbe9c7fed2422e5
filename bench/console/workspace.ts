import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LocalWorkspace, localCaller, openLocal } from '../../src/emulator/index.ts';
import { requireProject } from '../../src/project/index.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';

const messages = 5_000;
const invocations = 10_000;
const atOnce = 50;
/** Calls of one invocation; together they are more than a trace shows. */
const [callers, callsEach] = [60, 100];

const functions = {
  // Its input and answer are what makes a row of the log long.
  payload: `export const config = { type: 'server-side-method', isolation: 'warm' };
export default async (sdk) => sdk.request.json();`,
  calls: `export const config = { type: 'server-side-method', isolation: 'warm' };
export default async (sdk) => {
  for (let n = 0; n < ${callsEach}; n++) await sdk.store.get('n' + n);
};`,
  root: `export const config = { type: 'server-side-method' };
export default async (sdk) => {
  for (let n = 0; n < ${callers}; n++) await sdk.methods.call('calls', {});
};`,
};

export interface FullWorkspace {
  readonly local: LocalWorkspace;
  readonly url: string;
  readonly openUrl: string;
  readonly conversationId: string;
  /** An invocation whose trace is as long as a trace can be. */
  readonly traceOf: string;
}

/** A workspace on disk with a conversation of 5,000 messages, 10,000 invocations with payloads, and a trace of 5,000 spans. */
export async function openFullWorkspace(): Promise<FullWorkspace> {
  const root = join(temporaryFolder('console'), 'app');
  mkdirSync(join(root, 'functions'), { recursive: true });
  writeFileSync(join(root, 'fn.config.json'), '{"version": 1, "app": "bench"}');
  for (const [name, text] of Object.entries(functions)) writeFileSync(join(root, 'functions', `${name}.js`), text);
  const said = Array.from({ length: messages }, (_, n) => ({
    from: n % 3 === 0 ? 'agent' : 'customer',
    text: `message ${n} ${'and more of it '.repeat(n % 7)}`,
    at: `-${messages - n}m`,
  }));
  const seed = {
    channels: [{ kind: 'messaging-app', name: 'Messages' }],
    agents: [{ name: 'Jana Winter', email: 'jana@example.com' }],
    customers: [
      {
        name: 'Long Talker',
        phone: '+493090182002',
        conversations: [{ channel: 'messaging-app', messages: said }],
      },
    ],
  };
  writeFileSync(join(root, 'seed.json'), JSON.stringify(seed));
  const local = await openLocal({ project: await requireProject(root), database: 'file' });
  const door = local.door(localCaller);
  const body = { text: 'x'.repeat(4_000) };
  for (let n = 0; n < invocations; n += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, () => door('functions.invoke', { app: 'bench', name: 'payload', input: body })),
    );
  }
  const { invocationId } = await door('functions.invoke', { app: 'bench', name: 'root', input: {} });
  const { items } = await door('conversations.list', { limit: 1 });
  const { url } = await local.emulator.listen({ port: 0, strict: true });
  return {
    local,
    url,
    openUrl: local.emulator.openUrl('/') ?? url,
    conversationId: items[0]?.id ?? '',
    traceOf: invocationId,
  };
}
