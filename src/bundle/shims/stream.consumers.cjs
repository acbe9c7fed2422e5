'use strict';
async function buffer(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
const text = async (stream) => new TextDecoder().decode(await buffer(stream));
module.exports = {
  buffer,
  text,
  arrayBuffer: async (stream) => new Uint8Array(await buffer(stream)).buffer,
  blob: async (stream) => new Blob([await buffer(stream)]),
  json: async (stream) => JSON.parse(await text(stream)),
};
