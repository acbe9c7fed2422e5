/** What prints values: loaded when a program prints one. */
export { format } from './format.ts';
export { type InspectOptions, inspect, inspectFields } from './inspect-value.ts';
