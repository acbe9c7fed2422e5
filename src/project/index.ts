/**
 * An app on disk: its config, its functions, fixtures, seed and local secrets; making new ones; logins and profiles.
 * Knows nothing of what a function does: its `config` is read in the sandbox, by others.
 */
export { type AppConfig, appConfigSchema, environmentOf, type FunctionLimit } from './app-config.ts';
export {
  type Credentials,
  credentialsFile,
  findLogin,
  type Login,
  readCredentials,
  removeLogin,
  saveLogin,
} from './credentials.ts';
export { listFixtures, readFixture } from './fixtures.ts';
export { type FunctionFile, isInside, listFunctionFiles } from './function-files.ts';
export { resolveFunctionName } from './function-name.ts';
export { readLocalSecrets } from './local-secrets.ts';
export { appNameProblem, functionNameProblem, type NameProblem, tidyName } from './names.ts';
export { changePreferences, type Preferences, type Profile, preferencesFile, readPreferences } from './preferences.ts';
export {
  checkProfileName,
  chooseAccess,
  localProfile,
  type Remote,
  resolvePlace,
  resolveRemote,
  routesOf,
  unknownProfile,
} from './profiles.ts';
export { configFile, findProject, type Project, requireProject } from './project.ts';
export { applyScaffold, type ScaffoldResult } from './scaffold/apply.ts';
export {
  appNameFor,
  functionNameFor,
  type PlannedFile,
  planExample,
  planScaffold,
  type ScaffoldPlan,
  type ScaffoldRequest,
  templatesOf,
} from './scaffold/plan.ts';
export { functionTemplates, type Language, listExamples, readExample, readTemplates } from './scaffold/templates.ts';
export { parseSeed, readSeed, seedFile } from './seed.ts';
export { configFolder, isCi, stateFolder } from './user-folders.ts';
