'use strict';

/** Of `(address, options, heard)`, where each of the first two may be left out. */
exports.settingsOf = (input, options, heard) => {
  const isAddress = typeof input === 'string' || input instanceof URL;
  if (!isAddress) return { settings: { ...input }, heard: options };
  const address = ofAddress(new URL(input));
  return typeof options === 'function'
    ? { settings: address, heard: options }
    : { settings: { ...address, ...options }, heard };
};

function ofAddress({ protocol, hostname, port, pathname, search, username, password }) {
  const auth = username || password ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  return { protocol, hostname: host, path: pathname + search, ...(port && { port }), ...(auth && { auth }) };
}
