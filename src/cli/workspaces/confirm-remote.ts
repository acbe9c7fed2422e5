import type { Context, Target } from '../context.ts';

/**
 * Asks for confirmation before changing a remote workspace, on a terminal. Without a terminal, the command is taken as intended.
 * @returns whether to continue
 */
export async function confirmRemote(context: Context, target: Target, yes: boolean, message: string): Promise<boolean> {
  if (yes || target.kind !== 'remote' || !context.ask.possible) return true;
  return await context.ask.confirm({ message, flag: '--yes' });
}

/** Names the remote workspace of a change, since the current profile is easily forgotten. Empty for a local workspace. */
export function placeOf({ kind, slug }: Target): string {
  return kind === 'remote' ? ` in ${slug}` : '';
}
