/** An app's folder as a running workspace: its functions are live from their sources, its state is in `.fn`. */
export { appFileProblems } from './app-file-problems.ts';
export type { AppEvent } from './app-functions.ts';
export {
  type BareFunctions,
  type LocalEvent,
  type LocalOptions,
  type LocalWorkspace,
  localCaller,
  openFunctions,
  openLocal,
} from './open-local.ts';
export { patience } from './patience.ts';
export {
  databaseFile,
  findRunningDev,
  forgetRunningDev,
  localToken,
  localTokenFile,
  type RunningDev,
  writeRunningDev,
} from './state-files.ts';
export { surplusFunctions } from './surplus.ts';
