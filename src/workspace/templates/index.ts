/** Message templates as pure rules: what a template may say, which variables fit it, and what the customer sees. */
export { definitionProblems, type Template, type TemplateDefinition, variablesOf } from './definition.ts';
export { type Rendered, render } from './render.ts';
export { type MediaCheck, type VariableProblem, type Variables, variableProblems } from './variables.ts';
