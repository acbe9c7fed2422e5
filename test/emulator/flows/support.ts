import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { AppFileKind, Caller } from '../../../src/contract/index.ts';
import { checkFlowShape } from '../../../src/contract/shapes/index.ts';
import { ProjectError } from '../../../src/std/index.ts';
import { type AiAgents, anEmulator, everyone, type Functions } from '../an-emulator.ts';

export const start = '2026-11-20T12:00:00.000Z';
const second = 1_000;
const minute = 60 * second;
export const hour = 60 * minute;

export const flowNode = (outcomes: string[], body: string, more: object = {}) => ({
  config: { type: 'custom-flow-node', title: 'Node', outcomes, ...more },
  body,
});

export type FlowDefinition = { nodes: Record<string, unknown>; [name: string]: unknown };

function asFile(name: string, definition: FlowDefinition) {
  const checked = checkFlowShape(definition);
  const problem = checked.fits ? undefined : new ProjectError('app_file_invalid', JSON.stringify(checked.problems));
  return {
    kind: 'flow',
    name,
    path: `flows/${name}.json`,
    config: checked.fits ? checked.value : undefined,
    problem,
    content: JSON.stringify(definition),
    text: async () => undefined,
  };
}

/** A workspace whose flows are those; closed when the tests of the file are over. */
export async function aFlowWorkspace(
  flows: Record<string, FlowDefinition>,
  functions: Functions = {},
  agents: AiAgents = {},
) {
  const living = await anEmulator({ functions, agents, now: start });
  const ownFiles = living.source.appFiles.bind(living.source);
  const { emulator, source, clock } = living;
  after(() => emulator.close());
  const call = emulator.door(everyone);
  let files = flows;
  Object.assign(source, {
    appFiles: async (kind: AppFileKind) =>
      kind === 'flow' ? Object.entries(files).map(([name, file]) => asFile(name, file)) : ownFiles(kind),
  });
  /** Saves the files of the flows. */
  const save = async (given: Record<string, FlowDefinition>) => {
    files = given;
    await call('flows.list', {});
  };
  await emulator.work();
  let customers = 0;
  const settled = async () => assert.deepEqual(await emulator.settled(), []);
  return {
    ...living,
    call,
    as: (caller: Partial<Caller>) => emulator.door({ ...everyone, ...caller }),
    save,
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
    /** The functions that it began with. */
    async withFirstFunctions() {
      source.change(functions);
    },
  };
}
