import { type Input, refusal, scopes } from '../../contract/index.ts';
import { everyPage, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { confirmRemote } from '../workspaces/confirm-remote.ts';

const see = ['tokens'] as const;

const create = defineCommand({
  description:
    'Creates an API token. Its value is shown only once and is not stored in readable form, so save it in a safe place. Scopes: read, write, send (messages to customers), deploy, admin (includes the others).',
  arguments: { name: { summary: 'What the token is for, as shown in the list' } },
  options: {
    scope: {
      flag: '-s, --scope <scope>',
      summary: 'What the token may do; default: read, write, send',
      choices: scopes,
      many: true,
    },
    agent: { flag: '--agent <id>', summary: 'The person as whom it always acts, agt_…; what it sends pauses the AI' },
  },
  examples: [
    { line: 'fn token create ci --scope read --scope deploy', does: 'creates a token for a pipeline', runs: true },
    { line: 'fn token create crm --json | jq -r .token', does: 'passes the value to a script' },
  ],
  json: '{id, name, token, scopes}',
  see,
  async run(context, { name, scope, agent }) {
    const door = await context.door();
    const input: Input<'tokens.create'> = {
      name,
      ...(scope?.length ? { scopes: scope } : {}),
      ...(agent !== undefined && { agentId: agent }),
    };
    const token = await door('tokens.create', input, { signal: context.signal });
    context.io.result(token, () => inLine(token.token));
    if (!context.io.json)
      context.io.err(
        `${inLine(token.id)} "${inLine(token.name)}" (${token.scopes.join(', ')}). The value is shown only now.`,
      );
  },
});

const list = defineCommand({
  description: 'Lists the API tokens of the workspace with their scopes and last use, never their values.',
  options: { all: { flag: '--all', summary: 'Also list revoked tokens' } },
  examples: [{ line: 'fn token list', does: 'lists them', runs: true }],
  json: '{items: [{id, name, scopes, createdAt, lastUsedAt, revokedAt}]}',
  see,
  async run(context, { all }) {
    const { io } = context;
    const door = await context.door();
    const found = await everyPage((page) => door('tokens.list', page, { signal: context.signal }));
    const items = all ? found : found.filter((token) => token.revokedAt === null);
    io.results({ items }, 'There is no token. Make one: fn token create NAME', () => {
      const rows = items.map((token) => [
        token.id,
        token.name,
        token.scopes.join(' '),
        day(token.createdAt),
        token.lastUsedAt === null ? 'never' : day(token.lastUsedAt),
        token.revokedAt === null ? '' : `revoked ${day(token.revokedAt)}`,
      ]);
      const head = ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', ''];
      return listing(io, [head, ...rows], [1, 2]);
    });
  },
});

const revoke = defineCommand({
  description: 'Revokes an API token at once: the next request with it is refused. This cannot be undone.',
  arguments: { token: { summary: 'Id (tok_…) or name of the token' } },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn token revoke ci', does: 'revokes the token named ci' }],
  json: 'The token: {id, name, scopes, createdAt, lastUsedAt, revokedAt}',
  see,
  async run(context, { token: asked, yes }) {
    const target = await context.target();
    const { door } = target;
    const signal = context.signal;
    const all = await everyPage((page) => door('tokens.list', page, { signal }));
    const found = all.filter((token) => token.id === asked || (token.name === asked && token.revokedAt === null));
    const [token] = found;
    if (token === undefined)
      throw refusal('token_not_found', `There is no token "${asked}"`, { hint: 'See: fn token list' });
    if (found.length > 1) {
      throw new UsageError('token_ambiguous', `${found.length} tokens are named "${asked}"`, {
        hint: 'Use its id. See: fn token list',
      });
    }
    if (!(await confirmRemote(context, target, yes, `Revoke the token "${token.name}" of ${target.slug}?`))) return 130;
    const revoked = await door('tokens.revoke', { id: token.id }, { signal });
    context.io.result(revoked, () => inLine(`Revoked: ${revoked.name} (${revoked.id})`));
    return 0;
  },
});

const day = (at: string): string => at.slice(0, 10);

/** `fn token …` */
export const commands = {
  create: { summary: 'Create an API token; its value is shown once', command: create },
  list: { summary: 'List the API tokens', command: list },
  revoke: { summary: 'Revoke an API token at once', command: revoke },
};
