const { createHash } = require('node:crypto');
const { relative } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

/**
 * Starts the longest files first, by their durations in the last run: one that starts last keeps a worker busy while the others are
 * idle. A fresh clone has no durations; there, the files that start platforms and browsers come first. With GANTRY_TEST_SHUFFLE, the
 * order depends on the seed only (scripts/test.mjs).
 */
module.exports = class Order extends TestSequencer {
  constructor(options) {
    super(options);
    this.seed = options.globalConfig.seed;
  }

  sort(tests) {
    // eslint-disable-next-line unicorn/no-array-sort -- it is no array
    if (process.env.GANTRY_TEST_SHUFFLE === undefined) return super.sort(tests);
    const placeOf = ({ path }) => createHash('sha1').update(`${this.seed} ${path}`).digest('hex');
    return tests.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  }

  time(test) {
    const path = relative(test.context.config.rootDir, test.path).replaceAll('\\', '/');
    const isLong = /^test\/(e2e\/admin|launcher)\//.test(path);
    return super.time(test) ?? (isLong ? 120_000 : 10_000);
  }
};
