import { chooseAccess } from '../../project/index.ts';
import { defineCommand } from '../command.ts';
import { inLine } from '../terminal/sanitise.ts';

export const command = defineCommand({
  description:
    'Shows which workspace and token the commands use, and where both were found. It contacts the workspace, so it also shows whether the token works.',
  examples: [
    { line: 'fn whoami', does: 'shows the workspace in use', runs: true },
    { line: 'fn whoami --profile live --json', does: 'checks another login, for scripts' },
  ],
  json: '{kind, profile, slug, name, url, baseUrl, from, store, token: {id, name, scopes}}',
  see: ['login'],
  async run(context) {
    const { io, env } = context;
    const access = chooseAccess({ env, profile: context.flags.profile, folder: context.cwd });
    for (const warning of access?.warnings ?? []) io.err(warning);
    const target = await context.target();
    const shown = await target.door('workspace.show', {}, { signal: context.signal });
    const store = access?.tokenFrom ?? (target.kind === 'dev' ? '.fn/local-token' : null);
    const from = access?.from ?? (target.kind === 'dev' ? 'the running fn dev' : 'this folder');
    const result = {
      kind: target.kind,
      profile: access?.profile ?? null,
      slug: shown.slug,
      name: shown.name,
      url: shown.url,
      baseUrl: target.baseUrl ?? null,
      from,
      store,
      token: shown.token,
    };
    io.result(result, () => {
      const where = {
        remote: `${shown.url}`,
        dev: `${shown.url} (a running fn dev)`,
        embedded: 'the local workspace of this folder',
      };
      const lines = [`${shown.name} (${shown.slug}): ${where[target.kind]}`];
      if (access?.profile !== undefined) lines.push(`profile ${access.profile}, selected by ${from}`);
      else lines.push(`selected by ${from}`);
      if (shown.token !== null)
        lines.push(
          `token "${shown.token.name}" (${shown.token.scopes.join(', ')})${store === null ? '' : `, from ${store}`}`,
        );
      return lines.map(inLine).join('\n');
    });
  },
});
