import { ReadableStream } from 'web-streams-polyfill';

export * from 'web-streams-polyfill';

// The polyfill's iterator stands alone; the standard's inherits from %AsyncIteratorPrototype%.
async function* generator() {}
const asyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(generator.prototype)) as object;
const iterator = Object.getPrototypeOf(new ReadableStream()[Symbol.asyncIterator]()) as object;
Reflect.deleteProperty(iterator, Symbol.asyncIterator);
Object.setPrototypeOf(iterator, asyncIterator);
