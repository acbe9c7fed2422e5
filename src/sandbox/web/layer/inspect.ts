/** Formatting of values, loaded when a program first logs one. */
export { format } from './format.ts';
export { type InspectOptions, inspect, inspectFields } from './inspect-value.ts';
