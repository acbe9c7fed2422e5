import type { Context, Target } from '../context.ts';

/**
 * Asks before something of a workspace elsewhere is changed, on a terminal. Where nobody can be asked the command was meant.
 * @returns whether to go on
 */
export async function confirmRemote(context: Context, target: Target, yes: boolean, message: string): Promise<boolean> {
  if (yes || target.kind !== 'remote' || !context.ask.possible) return true;
  return await context.ask.confirm({ message, flag: '--yes' });
}

/** Where a change was made, behind what was changed: a profile in use is easily forgotten. Nothing on this machine. */
export function placeOf({ kind, slug }: Target): string {
  return kind === 'remote' ? ` in ${slug}` : '';
}
