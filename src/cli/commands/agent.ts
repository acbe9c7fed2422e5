import { priceTable } from '../../agent/index.ts';
import type { Output } from '../../contract/index.ts';
import { everyPage } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';

type Agent = Output<'aiAgents.list'>['items'][number];

const see = ['ai-agents'] as const;

const list = defineCommand({
  description:
    'Lists the AI agents: the files agents/*.json of the apps. In an app those of its folder, as they are on disk.',
  examples: [{ line: 'fn agent list', does: 'lists them', runs: true }],
  json: '{items: [{id, app, name, title, version, deployment, harness, models, tools, problem}]}',
  see,
  async run(context) {
    const { io, signal } = context;
    const door = await context.door();
    const items = await everyPage((page) => door('aiAgents.list', page, { signal }));
    io.results({ items }, 'There is no AI agent. Make one: fn init NAME --type agent', () => {
      const rows = items.map((agent) => [
        `${agent.app}/${agent.name}`,
        agent.title ?? '',
        agent.harness,
        agent.models.main ?? '',
        agent.tools.join(' '),
        agent.problem === null ? '' : inLine(agent.problem),
      ]);
      return listing(io, [['AGENT', 'TITLE', 'HARNESS', 'MODEL', 'TOOLS', 'PROBLEM'], ...rows], [5]);
    });
  },
});

const show = defineCommand({
  description: 'Shows an AI agent with its instructions.',
  arguments: { name: { summary: 'Name of the agent: nora, or order-desk/nora' } },
  examples: [{ line: 'fn agent show nora', does: 'shows it' }],
  json: 'The agent, with instructions, budget, mcp, history and reply',
  see,
  async run(context, { name }) {
    const agent = await (await context.door())('aiAgents.show', { id: name }, { signal: context.signal });
    context.io.result(agent, () => JSON.stringify(agent, null, 2));
  },
});

const check = defineCommand({
  description:
    'Checks AI agents: their files, and whether the harness and the models that they name are there. Exit code 3 if something is wrong.',
  arguments: { name: { summary: 'Name of the agent; all if left out', optional: true } },
  examples: [{ line: 'fn agent check', does: 'checks all of them', runs: true }],
  json: '{ok, items: [{agent, problems: [{message}]}]}',
  see,
  async run(context, { name }) {
    const { io, signal } = context;
    const door = await context.door();
    const all = await everyPage((page) => door('aiAgents.list', page, { signal }));
    const harnesses = await everyPage((page) => door('harnesses.list', page, { signal }));
    const asked = name === undefined ? all : [await door('aiAgents.show', { id: name }, { signal })];
    const items = asked.map((agent) => ({
      agent: `${agent.app}/${agent.name}`,
      problems: problemsOf(agent, harnesses),
    }));
    const ok = items.every(({ problems }) => problems.length === 0);
    io.results({ ok, items }, 'There is no AI agent. Make one: fn init NAME --type agent', () =>
      items
        .flatMap(({ agent, problems }) =>
          problems.length === 0 ? [`${agent}: fine`] : problems.map(({ message }) => `${agent}: ${inLine(message)}`),
        )
        .join('\n'),
    );
    return ok ? 0 : 3;
  },
});

function problemsOf(agent: Agent, harnesses: Output<'harnesses.list'>['items']): { message: string }[] {
  if (agent.problem !== null) return [{ message: agent.problem }];
  const harness = harnesses.find(({ name }) => name === agent.harness);
  if (harness === undefined) return [{ message: `there is no harness ${agent.harness} here` }];
  if (harness.state === 'needsSecret') return [{ message: `the harness ${harness.name} has no key or secret` }];
  return [];
}

const prices = defineCommand({
  description:
    'Lists the prices of models, in US dollars per million tokens, by which budgets count money. They are a file of fn; nothing is fetched.',
  arguments: { model: { summary: 'Part of a name; all if left out', optional: true } },
  examples: [{ line: 'fn agent prices haiku', does: 'lists the prices of some models', runs: true }],
  json: '{date, source, items: [{model, input, cachedInput, output}]}',
  see: ['budgets'],
  async run({ io }, { model = '' }) {
    const { date, source, models } = priceTable;
    const items = Object.entries(models)
      .filter(([name]) => name.includes(model))
      .map(([name, price]) => ({ model: name, ...price }));
    io.results({ date, source, items }, `There is no price of a model named "${model}"`, () => {
      const rows = items.map(({ model: name, input, cachedInput, output }) => [
        name,
        String(input),
        String(cachedInput ?? input),
        String(output),
      ]);
      return listing(io, [['MODEL', 'INPUT', 'CACHED', 'OUTPUT'], ...rows], [0]);
    });
    if (!io.json) io.err(`US dollars per million tokens, as of ${date}.`);
  },
});

/** `fn agent …` */
export const commands = {
  list: { summary: 'List the AI agents', command: list },
  show: { summary: 'Show an AI agent', command: show },
  check: { summary: 'Check AI agents and what they name', command: check },
  prices: { summary: 'List the prices of models', command: prices },
};
