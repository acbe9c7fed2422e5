import assert from 'node:assert/strict';
import test from 'node:test';
import { openClient } from '../../src/client/index.ts';
import { operationNames, operationOf } from '../../src/contract/index.ts';
import { shapes } from '../../src/contract/shapes/index.ts';
import { WorkspaceError } from '../../src/std/index.ts';
import { anEmulator, everyone, type TestEmulator, token } from './an-emulator.ts';
import { beyondJson, type Face, functions, steps, takeSteps } from './steps.ts';

const run = async (face: Face) => normal(await takeSteps(face)) as Record<string, unknown>;

/** What differs by nature: who asked, when, how long it took; ids are named by the order in which they appear. */
function normal(value: unknown): unknown {
  const ids = new Map<string, string>();
  const text = JSON.stringify(value, (key, one) => {
    if (['wallMs', 'cpuMs', 'peakMemoryBytes', 'ms', 'startedMs', 'offsetMs'].includes(key)) return 0;
    if (['author', 'actor', 'caller', 'createdBy', 'by', 'token', 'trigger', 'traceId', 'lastUsedAt'].includes(key))
      return '-';
    if (['nextCursor', 'resumeCursor', 'uploadUrl', 'cursor'].includes(key) && one !== null) return '-';
    return one;
  });
  return JSON.parse(
    text
      .replace(/\b([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}\b/g, (id, prefix) => {
        if (!ids.has(id)) ids.set(id, `${prefix}#${ids.size}`);
        return ids.get(id) ?? '';
      })
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'base')
      .replace(/whsec_[\w+/=]+/g, 'whsec')
      .replace(/code=[\w-]+/g, 'code')
      .replace(/"20\d\d-[\dT:.-]+Z"/g, '"time"'),
  );
}

const start = () => anEmulator({ functions, now: '2029-05-06T07:08:09.000Z' });

const overDoor = ({ emulator }: TestEmulator): Face => emulator.door(everyone) as unknown as Face;

const overRest = ({ url }: TestEmulator): Face => {
  const client = openClient({ baseUrl: url, slug: 'dev', token, transport: 'pooled' });
  return client as unknown as Face;
};

/** From inside a function where the row stands on its face; what no function may do is done through the door. */
const overSdk =
  (living: TestEmulator): Face =>
  async (name, input) => {
    const faces: readonly string[] = operationOf(name).faces;
    if (!faces.includes('sdk')) return overDoor(living)(name, input);
    const [area, verb] = name.split('.');
    const asked = { app: 'shop', name: 'api/call', input: { area, verb, input } as never };
    const { result } = await living.emulator.door(everyone)('functions.invoke', asked);
    const { output, refused } = result as {
      output?: unknown;
      refused?: { name: string; code: string; status: number };
    };
    if (!refused) return output;
    assert.equal(refused.name, 'SdkError');
    throw new WorkspaceError(refused.code, refused.status, 'refused inside');
  };

const whole = await Promise.all([start(), start(), start()]);

// Before the first test: the workspaces are closed when those that were registered so far have ended.
const [door, rest, sdk] = await Promise.all([run(overDoor(whole[0])), run(overRest(whole[1])), run(overSdk(whole[2]))]);

test('every operation that has an address is in this suite', () => {
  const covered = new Set(steps.map(([, name]) => name));
  const missing = operationNames.filter(
    (name) => operationOf(name).route !== null && !covered.has(name) && !beyondJson.includes(name),
  );
  assert.deepEqual(missing, []);
});

for (const [label, name] of steps) {
  test(`${name} – ${label}: the door and REST agree`, () => {
    assert.deepEqual(rest[label], door[label]);
  });
  if ((operationOf(name).faces as readonly string[]).includes('sdk')) {
    test(`${name} – ${label}: the door and the sdk of a function agree`, () => {
      assert.deepEqual(sdk[label], door[label]);
    });
  }
}

test('every answer has the shape that the table promises', () => {
  for (const [label, name] of steps) {
    const answer = door[label] as Record<string, unknown>;
    if ('refused' in answer || name === 'workspace.export') continue;
    const problems = shapes[name].output.safeParse(withTimes(answer)).error?.issues ?? [];
    assert.deepEqual(
      problems.filter(({ path }) => !path.some((key) => unshaped.has(String(key)))),
      [],
      `${name} – ${label}`,
    );
  }
});

/** Replaced by `normal`, so no longer of their shape. */
const unshaped = new Set(['author', 'actor', 'caller', 'createdBy', 'by', 'token', 'trigger', 'traceId', 'lastUsedAt']);

function withTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"time"', '"2029-05-06T07:08:09.000Z"'));
}
