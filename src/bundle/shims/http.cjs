'use strict';
const { METHODS, STATUS_CODES } = require('./http-constants.json');
const { Agent, ClientRequest, IncomingMessage, globalAgent } = require('./http-client.cjs');
const { validateHeaderName, validateHeaderValue } = require('./http-headers.cjs');
const missing = require('./missing.cjs');
const noServer = require('./http-server.cjs');

const request = (input, options, heard) => new ClientRequest(input, options, heard);

module.exports = {
  METHODS,
  STATUS_CODES,
  Agent,
  ClientRequest,
  IncomingMessage,
  globalAgent,
  maxHeaderSize: 16384,
  request,
  get(input, options, heard) {
    return request(input, options, heard).end();
  },
  setMaxIdleHTTPParsers() {},
  validateHeaderName,
  validateHeaderValue,
  ...noServer('http', ['OutgoingMessage', 'Server', 'ServerResponse', 'createServer', '_connectionListener']),
  setGlobalProxyFromEnv: missing('http.setGlobalProxyFromEnv', 'Use fetch.'),
};
for (const name of ['CloseEvent', 'MessageEvent', 'WebSocket'])
  Object.defineProperty(module.exports, name, { enumerable: true, configurable: true, get: () => globalThis[name] });
