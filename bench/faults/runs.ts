/**
 * Kills the server (`fn dev`, a process of its own) with SIGKILL at each moment of an AI agent's run in a conversation: while the model is
 * asked, while its answer streams in, while a tool is at work. Then starts it again, lets the run end, and counts what is wrong: effects of a tool that
 * came twice, messages that came twice, runs that did not end. Each moment is tried with a tool that may be repeated and with one that may not.
 * `node bench/faults/runs.ts [moments = 20]`
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { momentsOfRun, openStepByStepModel, workPath } from '../../test/agent/stand-ins/step-by-step-model.ts';
import { App } from '../../test/flows/app.ts';
import { type CallLocal, openLocalApi, readIntegrity } from './local-api.ts';
import { fromStillCopy } from './snapshot.ts';

export interface RunFaults {
  readonly kills: number;
  /** Runs by how they ended. */
  readonly ended: Readonly<Record<string, number>>;
  /** Runs that had not ended half a minute after the start. */
  readonly unended: number;
  /** Calls of the tool that may not be repeated that were made twice. */
  readonly repeatedEffects: number;
  /** Calls of that tool of which the model was told that nobody knows what came of them. */
  readonly toldUnknown: number;
  /** Messages to the customer that came twice, or that the record does not know. */
  readonly repeatedMessages: number;
  /** Runs that used more tokens than their budget allows. */
  readonly overspent: number;
  readonly integrity: string;
  readonly seconds: number;
}

interface Run {
  readonly status: string;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly budget: { readonly maxTokens: number };
  readonly result: { readonly messageIds: readonly string[] };
  readonly error: { readonly code: string } | null;
}

const maxEndMs = 30_000;

const tool = (annotations: object, url: string) => `
export const config = {
  type: 'ai-tool',
  name: 'order_status',
  description: 'Where an order is',
  input: { type: 'object', properties: { orderId: { type: 'string' } } },
  annotations: ${JSON.stringify(annotations)},
  permissions: { callers: { aiAgents: 'all' } },
};
export default async () => (await fetch('${url}${workPath}')).text();
`;

export async function killDuringRuns(moments = momentsOfRun): Promise<RunFaults> {
  const startedAt = performance.now();
  const ended: Record<string, number> = {};
  const faults = { kills: 0, unended: 0, repeatedEffects: 0, toldUnknown: 0, repeatedMessages: 0, overspent: 0 };
  let integrity = 'ok';
  for (const mayRepeat of [true, false]) {
    await using model = await openStepByStepModel();
    const app = new App({
      'functions/order-status.js': tool(mayRepeat ? { readOnly: true } : {}, model.url),
      'agents/nora.json': JSON.stringify({ instructions: 'Help.', tools: ['order_status'] }),
    });
    let dev = await app.dev();
    const { port } = new URL(dev.ready.url);
    const api = openLocalApi(dev.ready);
    await api('POST', '/harnesses', {
      name: 'model',
      kind: 'builtin',
      provider: 'openai-compatible',
      baseUrl: model.url,
      apiKey: 'k',
    });
    try {
      for (let n = 0; n < moments; n++) {
        // Spread over all moments, when fewer are asked for.
        const moment = Math.floor((n * momentsOfRun) / moments);
        const effectsBefore = model.worked();
        const requestsBefore = model.requests.length;
        const killed = Promise.withResolvers<void>();
        let seen = 0;
        model.onMoment = async () => {
          if (seen++ !== moment) return;
          dev.child.kill('SIGKILL');
          await dev.ended;
          killed.resolve();
        };
        const phone = `+49301${mayRepeat ? 1 : 2}${String(1_000 + n)}`;
        const { conversationId } = await api<{ conversationId: string }>('POST', '/_local/messages/receive', {
          phone,
          text: 'Where is A-1?',
        });
        const { id } = await api<{ id: string }>('POST', '/ai-agent-runs', {
          agent: 'nora',
          harness: 'model',
          models: { main: 'm' },
          conversationId,
        });
        await killed.promise;
        faults.kills++;
        dev = await app.dev('--port', port);
        const run = await endOf(api, id);
        const outcome = run.error === null ? run.status : `${run.status} ${run.error.code}`;
        ended[outcome] = (ended[outcome] ?? 0) + 1;
        if (['queued', 'running', 'waiting'].includes(run.status)) faults.unended++;
        if (!mayRepeat && model.worked() - effectsBefore > 1) faults.repeatedEffects++;
        if (model.requests.slice(requestsBefore).some(({ text }) => /unknown/i.test(text))) faults.toldUnknown++;
        const { items } = await api<{ items: { id: string; text: string; author: { type: string } }[] }>(
          'GET',
          `/conversations/${conversationId}/messages?limit=200`,
        );
        const said = items.filter(({ author }) => author.type === 'aiAgent');
        const isKnown = (message: string) => run.result.messageIds.includes(message);
        if (new Set(said.map(({ text }) => text)).size !== said.length || !said.every((one) => isKnown(one.id)))
          faults.repeatedMessages++;
        if (run.usage.inputTokens + run.usage.outputTokens > run.budget.maxTokens) faults.overspent++;
      }
    } finally {
      await dev.stop();
    }
    const checked = readIntegrity(app.path('.fn', 'workspace.db'));
    if (checked !== 'ok') integrity = checked;
  }
  return { ...faults, ended, integrity, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

async function endOf(api: CallLocal, id: string): Promise<Run> {
  const until = performance.now() + maxEndMs;
  for (;;) {
    const run = await api<Run>('GET', `/ai-agent-runs/${id}`);
    if (!['queued', 'running'].includes(run.status) || performance.now() > until) return run;
    await sleep(50);
  }
}

export function isFaultless(faults: RunFaults): boolean {
  const { unended, repeatedEffects, repeatedMessages, overspent, integrity } = faults;
  return unended + repeatedEffects + repeatedMessages + overspent === 0 && integrity === 'ok';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const faults = await killDuringRuns(Number(process.argv[2] ?? momentsOfRun));
    console.log(JSON.stringify(faults, null, 2));
    return isFaultless(faults) ? 0 : 1;
  });
}
