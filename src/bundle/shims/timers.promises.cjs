'use strict';
module.exports = require('node:timers').promises;
