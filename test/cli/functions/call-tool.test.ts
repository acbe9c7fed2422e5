import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { commands as mcp } from '../../../src/cli/commands/mcp.ts';
import { anEmulator, everyone } from '../../emulator/an-emulator.ts';
import { aFakeServer, echoTool, type FakeOptions } from '../../mcp/fake-server.ts';
import { aContext } from '../context.ts';

/** Calls a tool of an MCP server as `fn mcp call` does; on a terminal, this is answered. */
async function aCaller(t: TestContext, habits: FakeOptions = {}) {
  const cancelTool = { ...echoTool, name: 'cancel', annotations: { destructiveHint: true } };
  const writeTool = { ...echoTool, name: 'write', annotations: {} };
  const server = await aFakeServer(t, { tools: [echoTool, cancelTool, writeTool], ...habits });
  const { emulator } = await anEmulator();
  const door = emulator.door(everyone);
  await door('mcpClients.add', { name: 'stock', url: server.url });
  await door('mcpClients.tools', { id: 'stock', refresh: true });
  const call = async (tool: string, answer?: boolean, text = 'A-17') => {
    const { context, out, err } = aContext({ door });
    const asked: string[] = [];
    const confirm = async ({ message }: { message: string }) => {
      asked.push(message);
      return answer === true;
    };
    const ask = answer === undefined ? context.ask : { ...context.ask, possible: true, confirm };
    const given = { name: 'stock', tool, rest: [], data: JSON.stringify({ text }) };
    const exitCode = await mcp.call.command.run({ ...context, ask }, given);
    return { exitCode, out: out(), err: err(), asked };
  };
  return { call, door };
}

test('the exit code of fn mcp call is that of the kind of failure', async (t) => {
  const { call, door } = await aCaller(t, {
    call: ({ params }, session) => {
      if (params?.['name'] === 'write') return session.cut();
      return { isError: true, content: [{ type: 'text', text: 'no such order' }] };
    },
  });
  const failed = await call('echo');
  assert.deepEqual([failed.exitCode, failed.out], [5, '']);
  assert.match(failed.err, /tool_failed: .*\n→ fn tool logs --id tlc_\w+\n/);
  const lost = await call('write');
  assert.equal(lost.exitCode, 8);
  assert.match(lost.err, /mcp_connection_lost/);
  assert.equal((await call('nothing')).exitCode, 1);
  await door('mcpClients.update', { id: 'stock', tools: { echo: { limits: { perMinute: 1 } } } });
  assert.equal((await call('echo')).exitCode, 6);
});

test('a foreign tool that a person confirms is asked about on a terminal, elsewhere the way to answer is named', async (t) => {
  const { call } = await aCaller(t);
  const alone = await call('cancel');
  assert.equal(alone.exitCode, 1);
  assert.match(alone.err, /tool_confirmation_required: .*\n→ fn confirmation allow cfm_\w+, then call it again\n/);
  const allowed = await call('cancel', true);
  assert.deepEqual([allowed.exitCode, allowed.out, allowed.asked], [0, 'A-17\n', ['Allow this call?']]);
  assert.match(allowed.err, /"text": "A-17"/);
  const denied = await call('cancel', false, 'B-2');
  assert.equal(denied.exitCode, 1);
  assert.match(denied.err, /tool_denied/);
});
