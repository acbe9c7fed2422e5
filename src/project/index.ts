/**
 * An app on disk: its config, its functions, fixtures, seed and local secrets; making new ones; logins and profiles.
 * Knows nothing about what a function does: other rooms read its `config` in the sandbox.
 */
export * from './access.ts';
export { type AppConfig, appConfigSchema, environmentOf, type FunctionLimit } from './app-config.ts';
export { type AppFile, AppFileReader } from './app-files.ts';
export { configFile } from './app-folder.ts';
export { hintOfAppsBelow } from './apps-below.ts';
export { areEditorFilesCurrent, writeEditorFiles } from './editor-files.ts';
export { listFixtures, readFixture, saveFixture } from './fixtures.ts';
export { type FunctionFile, listFunctionFiles } from './function-files.ts';
export { resolveFunctionName } from './function-name.ts';
export { jsonProblem, placeInJson } from './json-text.ts';
export { listenerSecret } from './listener-secret.ts';
export { readLocalSecrets, secretsWithout } from './local-secrets.ts';
export { type McpLock, mcpLockFile, readMcpLock, writeMcpLock } from './mcp-lock.ts';
export { appNameProblem, functionNameProblem, type NameProblem } from './names.ts';
export { practiceProject, practiceSlug } from './practice.ts';
export { findProject, type Project, requireProject } from './project.ts';
export { saveTest } from './saved-tests.ts';
export { applyScaffold, type ScaffoldResult } from './scaffold/apply.ts';
export { isCommonJs } from './scaffold/module-type.ts';
export {
  appNameFor,
  type ConfigRequest,
  configTemplates,
  functionNameFor,
  type PlannedFile,
  planConfig,
  planExample,
  planScaffold,
  planServer,
  type ScaffoldPlan,
  type ScaffoldRequest,
  serverTemplates,
  templatesOf,
  toolNameFor,
} from './scaffold/plan.ts';
export { functionTemplates, type Language, listExamples, readExample, readTemplates } from './scaffold/templates.ts';
export { maxSeedBytes, parseSeed, placedSeedProblem, readSeed, readSeedUnchecked, seedFile } from './seed.ts';
export { adoptable, adoptState, claimState, setAsideForeignState, setAsideWords, standingOf } from './state-owner.ts';
export { distrustFolder, isTrusted, trustedFolders, trustFolder } from './trust.ts';
