'use strict';
const Stream = require('readable-stream/lib/stream');
const { Duplex, Readable, Writable } = Stream;

// The package leaves the way from and to web streams to its host.
Readable.fromWeb = (stream, options) => Readable.from(stream, { objectMode: false, ...options });
Readable.toWeb = (readable) => {
  const chunks = readable[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value instanceof Uint8Array ? new Uint8Array(value) : value);
    },
    async cancel() {
      await chunks.return?.();
      readable.destroy();
    },
  });
};
Writable.fromWeb = (stream, options) => {
  const writer = stream.getWriter();
  return new Writable({
    ...options,
    write: (chunk, _encoding, done) => void writer.ready.then(() => writer.write(chunk)).then(() => done(), done),
    final: (done) => void writer.close().then(() => done(), done),
    destroy: (error, done) => void (error ? writer.abort(error) : Promise.resolve()).then(() => done(error), done),
  });
};
Writable.toWeb = (writable) =>
  new WritableStream({
    write: (chunk) =>
      new Promise((resolve, reject) => writable.write(chunk, (error) => (error ? reject(error) : resolve()))),
    close: () => new Promise((resolve) => writable.end(resolve)),
    abort: (reason) => void writable.destroy(reason),
  });
Duplex.toWeb = (duplex) => ({ readable: Readable.toWeb(duplex), writable: Writable.toWeb(duplex) });
Duplex.fromWeb = ({ readable, writable }) =>
  Duplex.from({ readable: Readable.fromWeb(readable), writable: Writable.fromWeb(writable) });
module.exports = Stream;
