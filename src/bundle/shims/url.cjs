'use strict';
const legacy = require('url/');

function fileURLToPath(address) {
  const url = typeof address === 'string' ? new URL(address) : address;
  if (url.protocol !== 'file:')
    throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' });
  if (url.hostname !== '')
    throw Object.assign(new TypeError('File URL host must be "localhost" or empty'), {
      code: 'ERR_INVALID_FILE_URL_HOST',
    });
  if (/%2f/i.test(url.pathname)) {
    throw Object.assign(new TypeError('File URL path must not include encoded / characters'), {
      code: 'ERR_INVALID_FILE_URL_PATH',
    });
  }
  return decodeURIComponent(url.pathname);
}

function pathToFileURL(path) {
  const url = new URL('file:///');
  const absolute = require('node:path').resolve(path) + (path.endsWith('/') && path.length > 1 ? '/' : '');
  url.pathname = absolute
    .replace(/%/g, '%25')
    .replace(/\\/g, '%5C')
    .replace(/\n/g, '%0A')
    .replace(/\r/g, '%0D')
    .replace(/\t/g, '%09');
  return url;
}

function urlToHttpOptions(url) {
  const { hash, search, pathname, href, protocol, hostname, port, username, password } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    hash,
    search,
    pathname,
    path: `${pathname}${search}`,
    href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

function ascii(domain) {
  try {
    return new URL(`ws://${domain}`).hostname;
  } catch {
    return '';
  }
}

/** The WHATWG form is handed to `format` with options that the old form does not have. */
function format(value, options) {
  if (!(value instanceof URL)) return legacy.format(value);
  const url = new URL(value.href);
  if (options?.fragment === false) url.hash = '';
  if (options?.search === false) url.search = '';
  if (options?.auth === false) url.username = url.password = '';
  const text = url.href;
  return options?.unicode
    ? text.replace(url.host, require('node:punycode').toUnicode(url.hostname) + (url.port && `:${url.port}`))
    : text;
}

module.exports = {
  Url: legacy.Url,
  parse: legacy.parse,
  resolve: legacy.resolve,
  resolveObject: legacy.resolveObject,
  format,
  URL: globalThis.URL,
  URLSearchParams: globalThis.URLSearchParams,
  URLPattern: globalThis.URLPattern,
  domainToASCII: ascii,
  domainToUnicode: (domain) => require('node:punycode').toUnicode(ascii(domain)),
  fileURLToPath,
  pathToFileURL,
  urlToHttpOptions,
};
