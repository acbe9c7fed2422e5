/**
 * The `config` of a function: its fields as a table, its types, and how it is read. Kept apart from the table of operations because
 * it depends on schedules and schemas. The schema library is loaded when the first schema is compiled.
 */
export type { Field, Fields } from './check.ts';
export { checkSchemas } from './check-schemas.ts';
export { configFields } from './fields.ts';
export { type SchemaCheck, schemaCheck } from './json-schema.ts';
export { nextRuns } from './next-runs.ts';
export { type ConfigOf, parseFunctionConfig } from './parse.ts';
export { checkPortability } from './portable-schema.ts';
export { schedule as checkSchedule, timezone as checkTimezone } from './schedule.ts';
export type {
  ConfirmConfig,
  CronConfig,
  Expose,
  FlowNodeConfig,
  FunctionConfig,
  FunctionLimits,
  HttpMethod,
  JsonSchema,
  MethodConfig,
  SetupConfig,
  ToolConfig,
  ToolLimits,
  ToolPermissions,
  ViewConfig,
} from './types.ts';
