'use strict';
const legacy = require('url/');

// The npm package is of an earlier year; Node has changed what follows since.
const old = { ...legacy.Url.prototype };
const slashed = /^(?:https?|ftp|gopher|file|wss?):?$/;

legacy.Url.prototype.parse = function (address, parseQuery, slashesDenoteHost) {
  old.parse.call(this, address, parseQuery, slashesDenoteHost);
  if (this.search === '') this.search = null;
  return this;
};

/** Credentials belong to their host: another one never gets them. */
legacy.Url.prototype.resolveObject = function (relative) {
  const other = typeof relative === 'string' ? legacy.parse(relative, false, true) : relative;
  const result = old.resolveObject.call(this, other);
  if (!result.auth || other.auth || !other.host || other.host === this.host) return result;
  result.auth = null;
  result.href = result.format();
  return result;
};

legacy.Url.prototype.format = function () {
  const auth = this.auth ? `${encodeURIComponent(this.auth).replace(/%3A/i, ':')}@` : '';
  const name = this.hostname && (this.hostname.includes(':') ? `[${this.hostname}]` : this.hostname);
  let host = this.host ? auth + this.host : name ? auth + name + (this.port ? `:${this.port}` : '') : '';
  let { protocol, pathname, hash } = this;
  const hasQuery = this.query !== null && typeof this.query === 'object' && Object.keys(this.query).length > 0;
  const search = this.search || (hasQuery ? `?${require('node:querystring').stringify(this.query)}` : '');
  protocol = protocol ? protocol.replace(/:?$/, ':') : '';
  pathname = (pathname || '').replace(/[?#]/g, encodeURIComponent);
  if (this.slashes || (slashed.test(protocol) && host)) {
    if (pathname && !pathname.startsWith('/')) pathname = `/${pathname}`;
    host = `//${host}`;
  } else if (protocol === 'file:') host = '//';
  hash = hash ? hash.replace(/^#?/, '#') : '';
  const asked = search === '' ? '' : search.replace(/^\??/, '?').replaceAll('#', '%23');
  return protocol + host + pathname + asked + hash;
};

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
