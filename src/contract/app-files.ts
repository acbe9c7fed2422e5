/** Kinds of JSON files that an app ships beside its functions: each in a folder of its own, one file for each. */
export const appFileKinds = {
  'ai-agent': { folder: 'agents', noun: 'AI agent' },
} as const satisfies Readonly<Record<string, { readonly folder: string; readonly noun: string }>>;

export type AppFileKind = keyof typeof appFileKinds;

export const appFileKindNames = Object.keys(appFileKinds) as AppFileKind[];

/** Whether an entry of a deployment is such a file, and no function. */
export function isAppFileKind(type: string): type is AppFileKind {
  return Object.hasOwn(appFileKinds, type);
}
