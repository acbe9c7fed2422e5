'use strict';
const missing = require('./missing.cjs');
const hint = 'Use fetch.';

/** Settings that decide who is spoken to, or as whom: by fetch they would be lost. */
const lost = [
  'cert',
  'key',
  'pfx',
  'servername',
  'checkServerIdentity',
  'proxyEnv',
  'lookup',
  'socketPath',
  'createConnection',
];

exports.refuseOption = (name, path) => {
  const error = new Error(`The option "${name}" of node:${path} is not available in functions. ${hint}`);
  error.code = 'ERR_NOT_AVAILABLE_IN_FUNCTIONS';
  throw error;
};

/** What Node does by itself, and fetch, too: a stand-in of `node:tls` bears it. */
const asFetch = Symbol.for('convo-fn.as-fetch');

/** Throws where a setting would be lost. */
exports.refuseLost = (settings, path, host) => {
  for (const name of lost) {
    if (settings[name] === undefined || settings[name] === null) continue;
    if ((name === 'servername' && settings[name] === host) || settings[name][asFetch]) continue;
    exports.refuseOption(name, path);
  }
};

/**
 * An agent keeps settings; SDKs make one whatever sends their requests, and hand it to a client that may well use fetch. Not what builds
 * connections of its own upon it.
 */
exports.agentOf = (name, defaultPort, base) => {
  function Agent(options) {
    if (new.target !== Agent) missing(`${name}.Agent`, hint)();
    const given = { ...options };
    exports.refuseLost(given, `${name}.Agent`);
    const { keepAlive = false, maxSockets = Infinity, maxFreeSockets = 256, maxTotalSockets = Infinity } = given;
    Object.assign(this, { options: given, keepAlive, maxSockets, maxFreeSockets, maxTotalSockets });
    Object.assign(this, { requests: {}, sockets: {}, freeSockets: {}, defaultPort, protocol: `${name}:` });
  }
  if (base) Object.setPrototypeOf(Agent.prototype, base.prototype);
  Agent.prototype.destroy = () => {};
  for (const method of ['on', 'once', 'off', 'removeListener', 'setMaxListeners']) {
    Agent.prototype[method] = function () {
      return this;
    };
  }
  for (const method of ['addRequest', 'createConnection', 'createSocket'])
    Agent.prototype[method] = missing(`${name}.Agent.${method}`, hint);
  return Agent;
};
