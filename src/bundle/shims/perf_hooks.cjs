'use strict';
const missing = require('./missing.cjs');
module.exports = {
  performance: globalThis.performance,
  Performance: globalThis.Performance,
  PerformanceEntry: globalThis.PerformanceEntry,
  PerformanceMark: globalThis.PerformanceMark,
  PerformanceMeasure: globalThis.PerformanceMeasure,
  PerformanceObserver: globalThis.PerformanceObserver ?? missing('perf_hooks.PerformanceObserver'),
  monitorEventLoopDelay: missing('perf_hooks.monitorEventLoopDelay'),
  createHistogram: missing('perf_hooks.createHistogram'),
  constants: {},
};
