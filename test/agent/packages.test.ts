import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HarnessConfig, harnessAdapters } from '../../src/agent/index.ts';
import { codeOf, runAgent, statusOf } from './a-run.ts';
import { appWithPackage, appWithPackages } from './vendor-apps.ts';

interface Kind {
  readonly kind: HarnessConfig['kind'];
  readonly packageName: string;
  /** The last version that is too old, and the first that is too new. */
  readonly around: readonly [tooOld: string, tooNew: string];
  readonly range: string;
  /** What a package lacks that exports nothing. */
  readonly lacks: string;
}

const kinds: readonly Kind[] = [
  {
    kind: 'openai-agents-sdk',
    packageName: '@openai/agents',
    around: ['0.11.8', '1.0.0'],
    range: '>=0.12 <1.0',
    lacks: 'has no Agent',
  },
  {
    kind: 'claude-agent-sdk',
    packageName: '@anthropic-ai/claude-agent-sdk',
    around: ['0.3.247', '0.4.0'],
    range: '>=0.3.248 <0.4',
    lacks: 'has no query',
  },
  {
    kind: 'openai-agents-api',
    packageName: 'openai',
    around: ['7.14.9', '8.0.0'],
    range: '>=7.15 <8.0',
    lacks: 'has no OpenAI',
  },
  {
    kind: 'claude-managed-agents',
    packageName: '@anthropic-ai/sdk',
    around: ['0.115.9', '2.0.0'],
    range: '>=0.116 <2.0',
    lacks: 'has no Anthropic',
  },
];

for (const { kind, packageName, around, range, lacks } of kinds) {
  describe(`${packageName}, which ${kind} loads`, () => {
    const [tooOld, tooNew] = around;
    const supported = range.slice(2, range.indexOf(' '));
    const good = supported.split('.').length === 3 ? supported : `${supported}.0`;
    const install = `npm install ${packageName}@"${range}"`;
    const of = (version: string, code = ''): HarnessConfig['packages'] => {
      return { folder: appWithPackage(packageName, version, code), trusted: true };
    };
    const cases: [what: string, packages: HarnessConfig['packages'], code: string, message: string, hint: string][] = [
      [
        'not installed',
        { folder: appWithPackages({}), trusted: true },
        'harness_package_missing',
        `needs the package ${packageName}`,
        `: ${install}`,
      ],
      [
        'too old',
        of(tooOld),
        'harness_package_unsupported',
        `works with ${packageName} ${range}, and ${tooOld} is installed`,
        install,
      ],
      ['too new', of(tooNew), 'harness_package_unsupported', `and ${tooNew} is installed`, install],
      [
        'throwing when it is loaded',
        of(good, `throw new Error('no native part');`),
        'harness_package_broken',
        `${good} cannot be loaded: no native part`,
        install,
      ],
      ['not what it says', of(good), 'harness_package_broken', `${good} ${lacks}`, install],
      [
        'in a folder that is not trusted',
        { folder: appWithPackage(packageName, good, `throw new Error('it was loaded');`), trusted: false },
        'folder_not_trusted',
        'would run outside the sandbox',
        'fn trust',
      ],
      [
        'wanted outside of an app',
        undefined,
        'harness_package_missing',
        'there is no app here',
        'in the folder of an app',
      ],
    ];
    for (const [what, packages, code, message, hint] of cases) {
      test(`${what} is ${code} for a check and for a run`, async () => {
        const harness = { kind, name: 'mine', apiKey: 'sk-secret-of-the-test', packages };
        const { ok, problems } = await harnessAdapters[kind].check(harness);
        assert.equal(ok, false);
        assert.equal(problems[0]?.code, code);
        assert.ok(problems[0]?.message.includes(message), problems[0]?.message);
        assert.ok(problems[0]?.fix.includes(hint), problems[0]?.fix);
        const events = await runAgent({ say: 'hello', harness, models: { main: 'big' } });
        assert.deepEqual([statusOf(events), codeOf(events)], ['failed', code]);
      });
    }
  });
}
