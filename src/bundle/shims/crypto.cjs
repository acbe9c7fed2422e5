'use strict';
module.exports = { webcrypto: globalThis.crypto };
