import { defineProperty, ownKeys } from './primordials.ts';

/** Descriptors have no prototype: user code may have run, and Object.prototype has no say. */
const enumerable = { __proto__: null, enumerable: true } as PropertyDescriptor;
const described = (value: string) => ({ __proto__: null, value, configurable: true }) as PropertyDescriptor;

/** Gives a class the looks of a web interface: enumerable members and a class string. */
export function expose(Class: { prototype: object }, name: string): void {
  defineProperty(Class, 'name', described(name));
  exposeMembers(Class.prototype, name);
}

/** Minified classes get the names back that their instances are told by (`constructor.name`), whether or not the global was asked for. */
export function nameClasses(classes: Record<string, object>): void {
  const names = ownKeys(classes);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    defineProperty(classes[name] as object, 'name', described(name));
  }
}

/** The looks alone, where there is no class to name. */
export function exposeMembers(prototype: object, tag: string): void {
  const keys = ownKeys(prototype);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as PropertyKey;
    if (typeof key === 'string' && key !== 'constructor') defineProperty(prototype, key, enumerable);
  }
  defineProperty(prototype, Symbol.toStringTag, described(tag));
}
