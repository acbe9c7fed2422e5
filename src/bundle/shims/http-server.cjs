'use strict';
const missing = require('./missing.cjs');

const hint = 'A function listens nowhere: it answers requests by what it returns.';

/** What serves: classes among it, which packages extend, and whose prototypes they copy, before they use any. */
module.exports = (name, members) =>
  Object.fromEntries(
    members.map((member) => {
      function refuse() {
        missing(`${name}.${member}`, hint)();
      }
      return [member, refuse];
    }),
  );
