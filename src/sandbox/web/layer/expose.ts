import { defineProperty, ownKeys } from './primordials.ts';

/** Descriptors have no prototype, since user code may have changed Object.prototype. */
const enumerable = { __proto__: null, enumerable: true } as PropertyDescriptor;
const described = (value: string) => ({ __proto__: null, value, configurable: true }) as PropertyDescriptor;

/** Makes a class look like a web interface: enumerable members and a class string. */
export function expose(Class: { prototype: object }, name: string): void {
  defineProperty(Class, 'name', described(name));
  exposeMembers(Class.prototype, name);
}

/** Restores the names of minified classes, which show in `constructor.name` even if the global is never used. */
export function nameClasses(classes: Record<string, object>): void {
  const names = ownKeys(classes);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    defineProperty(classes[name] as object, 'name', described(name));
  }
}

/** The same for a prototype without a class. */
export function exposeMembers(prototype: object, tag: string): void {
  const keys = ownKeys(prototype);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as PropertyKey;
    if (typeof key === 'string' && key !== 'constructor') defineProperty(prototype, key, enumerable);
  }
  defineProperty(prototype, Symbol.toStringTag, described(tag));
}
