'use strict';
const http = require('node:http');
const { agentOf } = require('./http-agent.cjs');
const { settingsOf } = require('./http-address.cjs');
const noServer = require('./http-server.cjs');

const Agent = agentOf('https', 443, http.Agent);
const globalAgent = new Agent();

function request(input, options, callback) {
  const { settings, heard } = settingsOf(input, options, callback);
  return new http.ClientRequest({ ...settings, _defaultAgent: globalAgent }, heard);
}

module.exports = {
  Agent,
  globalAgent,
  request,
  get(input, options, heard) {
    return request(input, options, heard).end();
  },
  ...noServer('https', ['Server', 'createServer']),
};
