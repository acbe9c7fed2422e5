/**
 * The shapes of every operation's input and output, from `areas/`. Kept apart from the table of operations because they load the schema library,
 * which one-line commands and the start of `fn dev` do not need.
 */

export { exampleEventOf, exampleOf } from '../areas/events.examples.ts';
export { eventData } from '../areas/events.shapes.ts';
export { type AppFileContent, appFileShapes, checkAppFile } from './app-files.ts';
export { type Checked, checkShape } from './check.ts';
export { checkInput, checkOutput } from './check-operation.ts';
export { entities, inputEntities } from './entities.ts';
export { eventSchemaOf } from './event-schema.ts';
export {
  checkFlowShape,
  type Flow,
  type FlowCondition,
  type FlowNode,
  type FlowNodeType,
  type FlowTrigger,
  flowFile,
} from './flow-file.ts';
export { inlined, jsonSchemaOf, namedSchemas } from './json-schema.ts';
export { checkModelScriptShape, type ModelScript, modelScript } from './model-script.ts';
export { checkSeed, type Seed, seed } from './seed.ts';
export { type Input, type Output, type ParsedInput, shapes } from './table.ts';
