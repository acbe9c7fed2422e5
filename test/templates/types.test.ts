import assert from 'node:assert/strict';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyScaffold, planExample, readExample } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { anAppOfAllTypes, install, run } from './scaffolded-apps.ts';

const tsc = packageFile('node_modules/typescript/bin/tsc');
/** What editors still bring: it was written in JavaScript, and reads JSDoc in its own way. */
const tscBefore = packageFile('test/openapi/node_modules/typescript/bin/tsc');
const strictest = ['exactOptionalPropertyTypes', 'noUncheckedIndexedAccess', 'noPropertyAccessFromIndexSignature'];

const compilers = Object.entries({ 7: tsc, 5: tscBefore });

for (const language of ['js', 'ts'] as const) {
  for (const [version, compiler] of compilers) {
    test(`what fn init makes in ${language} has no type error in an editor with TypeScript ${version}`, async () => {
      const root = await anAppOfAllTypes(language);
      await install(root);
      for (const flags of [[], [...strictest.map((name) => `--${name}`), '--skipLibCheck', 'false']]) {
        const args = [compiler, '-p', `${language}config.json`, ...flags];
        const { exitCode, output } = await run(process.execPath, args, root);
        assert.equal(output, '');
        assert.equal(exitCode, 0);
      }
    });
  }
}

test('the example has no type error in an editor either', async () => {
  // Inside this repository, so that its packages resolve upward.
  const folder = temporaryFolder('.example', packageFile(''));
  const root = join(folder, 'order-desk');
  const request = { root, app: 'order-desk', lockfile: false };
  applyScaffold(planExample(request, readExample('order-desk')));
  await install(root);
  for (const [version, compiler] of compilers) {
    const { output } = await run(process.execPath, [compiler, '-p', 'tsconfig.json'], root);
    assert.equal(output, '', `TypeScript ${version}`);
  }
});

test('the types of sdk and config take what is right and refuse what is wrong', async () => {
  const root = await anAppOfAllTypes('ts');
  await install(root);
  await writeFile(
    join(root, 'functions/types.ts'),
    `import { z } from 'zod';
import type { AiTool, CronJob, ErrorCode, MethodSdk, SdkError, ServerSideMethod, ToolSdk, ViewSdk } from 'convo-fn';

export const method: ServerSideMethod = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
const Args = z.object({ email: z.email(), tags: z.array(z.string()).optional(), place: z.tuple([z.number()]).nullable() });
export const fromZod: AiTool = { type: 'ai-tool', name: 'x', description: 'x', input: z.toJSONSchema(Args), output: z.toJSONSchema(Args) };
/** As the types of valibot, typebox, ajv and @types/json-schema say it. */
interface OfLibraries { type?: 'object' | undefined; title?: string | undefined; properties?: Record<string, OfLibraries> | undefined; additionalProperties?: OfLibraries | boolean | undefined; anyOf?: OfLibraries[] | undefined }
declare const ofLibraries: OfLibraries;
export const fromOthers: AiTool = { type: 'ai-tool', name: 'x', description: 'x', input: ofLibraries, output: ofLibraries };
// @ts-expect-error there is no such type
export const typo: AiTool = { type: 'ai-tool', name: 'x', description: 'x', input: { type: 'object', properties: { a: { type: 'strin' } } } };
export const hidden: ServerSideMethod = { type: 'server-side-method', expose: false, limits: { wallMs: 100 } };
// @ts-expect-error a cron job is no method
export const wrongType: ServerSideMethod = { type: 'cron-job' };
// @ts-expect-error without a schedule it never runs
export const noSchedule: CronJob = { type: 'cron-job' };
// @ts-expect-error TOKEN is not a way to authenticate
export const wrongAuth: ServerSideMethod = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'TOKEN' } };
// @ts-expect-error the field is called confirm
export const unknownField: AiTool = { type: 'ai-tool', name: 'x', description: 'x', input: { type: 'object' }, confirms: 'never' };

export default async function (sdk: MethodSdk, tool: ToolSdk<{ orderId: string }>, view: ViewSdk): Promise<string | null> {
  const page = await sdk.customers.list({ limit: 5 });
  const name: string | null | undefined = page.items[0]?.name;
  const { created } = await sdk.customers.findOrCreate({ phone: '+4930901820' }, { idempotencyKey: 'a' });
  const yes: boolean = created;
  const count: number = await sdk.store.increment('count');
  const handover = await sdk.vars.get<{ workgroupId: string }>('handover');
  const upper: string = tool.tool.args.orderId.toUpperCase();
  if (tool.tool.conversation !== null) await tool.conversations.get({ id: tool.tool.conversation.id });
  const headers: Headers = sdk.request.headers;
  const now: Date = sdk.context.now();
  view.view.container.append(view.customer?.name ?? '');
  // @ts-expect-error there is no such operation
  await sdk.customers.explode();
  // @ts-expect-error a customer is found by what identifies it
  await sdk.customers.find({ nickname: 'Ann' });
  // @ts-expect-error a view has no secrets
  view.secrets;
  // @ts-expect-error only the Template API app may
  sdk.messages.sendTemplate;
  // @ts-expect-error a conversation is open or closed
  await sdk.conversations.list({ status: 'ajar' });
  try {
    await sdk.templates.send({ to: '+4930901820', template: 'order_shipped', variables: { body: ['Ann', 'Friday'] } });
  } catch (error) {
    const code: ErrorCode | (string & {}) = (error as SdkError).code;
    if (code === 'template_not_approved') return null;
  }
  return [name, yes, count, handover?.workgroupId, upper, headers, now].join();
}
`,
  );
  await symlink(packageFile('node_modules/zod'), join(root, 'node_modules/zod'));
  const { output } = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], root);
  assert.equal(output, '');
});

test('a file of CommonJS takes the types too, whichever way modules are resolved, and from the package as from the app', async () => {
  const root = await anAppOfAllTypes('ts');
  await install(root);
  const file = join(root, 'functions/common.cts');
  await writeFile(
    file,
    `import type { MethodSdk } from 'convo-fn';
import type { TestWorkspace } from 'convo-fn/testing';
// @ts-expect-error there is no such member
export type None = MethodSdk['nothing'];
export type Both = [MethodSdk['customers'], TestWorkspace];
`,
  );
  for (const [version, compiler] of compilers) {
    const { output } = await run(process.execPath, [compiler, '-p', 'tsconfig.json'], root);
    assert.equal(output, '', `TypeScript ${version}`);
  }
  await symlink(packageFile('.'), join(root, 'node_modules/convo-fn'));
  for (const [version, compiler] of compilers) {
    for (const module of ['node16', 'nodenext']) {
      const flags = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--module',
        module,
        '--types',
        'node',
      ];
      const args = version === '5' ? flags.slice(1) : flags;
      const { output } = await run(process.execPath, [compiler, ...args, file], root);
      assert.equal(output, '', `TypeScript ${version}, ${module}`);
    }
  }
});
