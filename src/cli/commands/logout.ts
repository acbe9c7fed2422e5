import { openClient } from '../../client/index.ts';
import { removeLogin, resolvePlace, routesOf } from '../../project/index.ts';
import { messageOf, UnknownOutcomeError, UsageError, WorkspaceError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';

export const command = defineCommand({
  description: `Deletes the stored token of a workspace, and revokes it there if the token allows that (scope admin). The profile stays, which makes the next "fn login" shorter; "fn profile remove" removes it, too.

If the token cannot be revoked, fn says so: it stays valid until you revoke it under Profile › API Tokens. If no answer came, "revoked" is null.`,
  options: { keepToken: { flag: '--keep-token', summary: 'Do not revoke the token, because it is used elsewhere' } },
  examples: [
    { line: 'fn logout', does: 'deletes and revokes the token of the profile in use' },
    { line: 'fn logout --profile live --keep-token', does: 'deletes the token of another profile; it stays valid' },
  ],
  json: '{slug, baseUrl, removed, revoked: true|false|null}',
  see: ['login'],
  async run(context, { keepToken }) {
    const { io, env } = context;
    const place = resolvePlace({ profile: context.flags.profile, env, folder: context.cwd, must: true });
    if (place === undefined) {
      throw new UsageError('login_missing', 'You are not logged in', { hint: 'See: fn profile list' });
    }
    const { baseUrl, slug } = place;
    const { origin } = new URL(baseUrl);
    // The token is removed first: logging out must leave no token on this machine, even if the network fails. If the file cannot be
    // written, nothing was done, and the token can still be revoked.
    const login = await removeLogin({ origin, slug }, env);
    const removed = login !== undefined;
    let revoked: boolean | null = false;
    let why: string | undefined;
    if (login?.tokenId !== undefined && !keepToken) {
      try {
        const client = openClient({ baseUrl, slug, token: login.token, routes: routesOf(place.profile), env });
        await client('tokens.revoke', { id: login.tokenId }, { signal: context.signal });
        revoked = true;
      } catch (error) {
        why = messageOf(error);
        if (error instanceof UnknownOutcomeError) revoked = null;
        // As after an answer that was lost: the repeat is refused because the first one was carried out.
        if (error instanceof WorkspaceError && ['token_revoked', 'token_invalid'].includes(error.code)) revoked = true;
      }
    }
    if (env['FN_TOKEN']) io.err('FN_TOKEN is still set, so commands will keep using it.');
    io.result({ slug, baseUrl, removed, revoked }, () => {
      if (!removed) return `No token was stored for ${slug} (${baseUrl}).`;
      if (revoked)
        return `Logged out of ${slug} (${baseUrl}); the token ${why === undefined ? 'was revoked' : 'is not valid any more'}.`;
      if (revoked === null) {
        return `Logged out of ${slug} (${baseUrl}). It is unknown whether the token was revoked: ${why}. Check under Profile › API Tokens.`;
      }
      const reason = why === undefined ? '' : ` It could not be revoked: ${why}.`;
      return `Logged out of ${slug} (${baseUrl}).${reason} The token itself is still valid; revoke it under Profile › API Tokens if nothing else uses it.`;
    });
  },
});
