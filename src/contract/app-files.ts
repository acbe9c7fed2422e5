/** Kinds of JSON files that an app ships beside its functions: each in a folder of its own, one file for each. */
export const appFileKinds = {
  'ai-agent': { folder: 'agents', noun: 'AI agent' },
} as const satisfies Readonly<Record<string, { readonly folder: string; readonly noun: string }>>;

export type AppFileKind = keyof typeof appFileKinds;

export const appFileKindNames = Object.keys(appFileKinds) as AppFileKind[];

/** The kind of a file by its path below the app: `agents/nora.json`. */
export function appFileKindOf(path: string): AppFileKind | undefined {
  return appFileKindNames.find((kind) => path.startsWith(`${appFileKinds[kind].folder}/`));
}
