import type { Context, Target } from './context.ts';

/**
 * Asks before something of a workspace elsewhere is changed, on a terminal. Where nobody can be asked the command was meant.
 * @returns whether to go on
 */
export async function confirmRemote(context: Context, target: Target, yes: boolean, message: string): Promise<boolean> {
  if (yes || target.kind !== 'remote' || !context.ask.possible) return true;
  return await context.ask.confirm({ message, flag: '--yes' });
}
