'use strict';
const { signals, errno, priority, dlopen } = require('./os-constants.json');
module.exports = { ...errno, ...signals, ...priority, ...dlopen };
