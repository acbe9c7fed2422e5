import type { Context } from '../context.ts';

/** The app that a command is about: the named one, or else the one around the current folder. */
export async function appName(context: Context, given: string | undefined): Promise<string> {
  return given ?? (await context.requireProject()).app;
}

/** The option for its name. */
export const appOption = { flag: '--of <app>', summary: 'Name of the app; default: the app in this folder' } as const;
