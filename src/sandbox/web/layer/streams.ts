import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from 'web-streams-polyfill';
import { nameClasses } from './expose.ts';

export * from 'web-streams-polyfill';

nameClasses({
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
});

// The polyfill's iterator has no parent; the standard's inherits from %AsyncIteratorPrototype%.
async function* generator() {}
const asyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(generator.prototype)) as object;
const iterator = Object.getPrototypeOf(new ReadableStream()[Symbol.asyncIterator]()) as object;
Reflect.deleteProperty(iterator, Symbol.asyncIterator);
Object.setPrototypeOf(iterator, asyncIterator);
