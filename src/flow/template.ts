import { valueAt } from './paths.ts';
import type { FlowContext, FlowState, Json } from './types.ts';

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Fills in the paths of a text. What is not there becomes nothing, an object its JSON. */
export function fillText(template: string, state: FlowState, context: FlowContext): string {
  return template.replace(placeholder, (_, path: string) => {
    const value = valueAt(path, state, context);
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

/** Fills in a JSON value. A text that is nothing but `{{path}}` becomes the value itself; null if there is none. */
export function fillValue(template: Json, state: FlowState, context: FlowContext): Json {
  if (typeof template === 'string') {
    const alone = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(template);
    if (alone) return valueAt(alone[1] ?? '', state, context) ?? null;
    return fillText(template, state, context);
  }
  if (Array.isArray(template)) return template.map((item) => fillValue(item, state, context));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fillValue(item, state, context)]));
}

/** Every path that a template names, with where it stands below `path`. */
export function templatePaths(
  template: Json | undefined,
  at: string,
): { readonly path: string; readonly at: string }[] {
  if (typeof template === 'string') {
    return [...template.matchAll(placeholder)].map(([, path = '']) => ({ path, at }));
  }
  if (Array.isArray(template)) return template.flatMap((item, i) => templatePaths(item, `${at}[${i}]`));
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([name, item]) => templatePaths(item, `${at}.${name}`));
}
