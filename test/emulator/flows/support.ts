import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Caller } from '../../../src/contract/index.ts';
import { checkFlow } from '../../../src/flow/index.ts';
import { anEmulator, everyone, type Functions } from '../an-emulator.ts';

export const start = '2026-11-20T12:00:00.000Z';
const second = 1_000;
const minute = 60 * second;
export const hour = 60 * minute;

export const flowNode = (outcomes: string[], body: string, more: object = {}) => ({
  config: { type: 'custom-flow-node', title: 'Node', outcomes, ...more },
  body,
});

export type FlowDefinition = { nodes: Record<string, unknown>; [name: string]: unknown };

/** A workspace whose flows are those; closed when the tests of the file are over. */
export async function aFlowWorkspace(flows: Record<string, FlowDefinition>, functions: Functions = {}) {
  const living = await anEmulator({ functions, now: start });
  const { emulator, workspace, clock } = living;
  after(() => emulator.close());
  const call = emulator.door(everyone);
  const publish = (given: Record<string, FlowDefinition>) =>
    workspace.flows.publish(
      'shop',
      Object.entries(given).map(([name, definition]) => {
        const checked = checkFlow(definition);
        assert.deepEqual(checked.fits ? [] : checked.problems, [], name);
        return { name, definition: (checked as unknown as { flow: never }).flow, content: JSON.stringify(definition) };
      }),
    );
  await publish(flows);
  await emulator.work();
  let customers = 0;
  const settled = async () => assert.deepEqual(await emulator.settled(), []);
  return {
    ...living,
    call,
    as: (caller: Partial<Caller>) => emulator.door({ ...everyone, ...caller }),
    publish,
    settled,
    newPhone: () => `+49301234${String(++customers).padStart(4, '0')}`,
    /** A message of a customer; resolves when everything that it causes is done. */
    async say(phone: string, text: string, more: object = {}) {
      const message = await call('messages.receive', { phone, text, ...more });
      await settled();
      return message;
    },
    async texts(conversationId: string) {
      const { items } = await call('messages.list', { conversationId });
      return items.map(({ author, text }) => `${author.type}: ${text}`);
    },
    async runs(conversationId?: string) {
      const { items } = await call('flowRuns.list', conversationId === undefined ? {} : { conversationId });
      return items;
    },
    async path(runId: string) {
      const { steps } = await call('flowRuns.show', { id: runId });
      return steps.map(({ node, outcome }) => `${node}:${outcome}`);
    },
    async lastRun(conversationId: string) {
      const { items } = await call('flowRuns.list', { conversationId, limit: 1 });
      const [run] = items;
      assert.ok(run);
      return call('flowRuns.show', { id: run.id });
    },
    async advance(ms: number) {
      await call('clock.advance', { ms });
      await settled();
    },
    clock,
  };
}
