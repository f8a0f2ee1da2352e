/**
 * Tests are TypeScript, compiled by swc with the decorator and class-field semantics of tsc. A package's own sources are
 * imported from ../src, other packages through their build (workspace links), so the build comes first; `npm test` does
 * that by itself.
 *
 * Two projects: `packages` holds the tests beside each package, `platform` the tests that start processes, servers or
 * browsers of their own. scripts/test.mjs runs both at once.
 */
const { join } = require('node:path');
const { WORKER_FLAGS, withoutFlags } = require('./test/support/worker-flags.cjs');

// `import()` must stay an import, because the host loads plugins with it. Node needs a flag for that inside jest, and only
// worker processes can get it from here: workerIdleMemoryLimit below makes jest always use one. The tests themselves do not
// see it (test/support/clean-environment.cjs).
process.env.NODE_OPTIONS = withoutFlags(process.env.NODE_OPTIONS).concat(WORKER_FLAGS).join(' ');

const swcOptions = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs', ignoreDynamic: true },
};

/** Components of the pages, which tests render to text. */
const pageOptions = {
  ...swcOptions,
  jsc: {
    ...swcOptions.jsc,
    parser: { ...swcOptions.jsc.parser, tsx: true },
    transform: { ...swcOptions.jsc.transform, react: { runtime: 'automatic' } },
  },
};

/** Tests that `npm run prove faults` runs, which .ci/run calls after `npm test`. */
const proofs = process.env.GANTRY_FAULTS_SIZE === undefined ? ['<rootDir>/test/faults/'] : [];

const common = {
  rootDir: __dirname,
  testEnvironment: join(__dirname, 'test/support/environment.cjs'),
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  transform: {
    '\\.ts$': ['@swc/jest', swcOptions],
    '\\.tsx$': ['@swc/jest', pageOptions],
  },
  transformIgnorePatterns: ['/node_modules/'],
  // Vite lists the folders of the field kinds for the pages.
  moduleNameMapper: { '/(kind|view|later-view)-modules$': '<rootDir>/plugins/admin-ui/web/test/support/$1-modules.ts' },
  modulePathIgnorePatterns: ['<rootDir>/\\.gantry/', '<rootDir>/cli/gantry/', '/(fixtures|samples)/.*/package\\.json$'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/', '/samples/'],
  setupFiles: ['<rootDir>/test/support/clean-environment.cjs'],
};

module.exports = {
  globalSetup: join(__dirname, 'test/support/global-setup.cjs'),
  globalTeardown: join(__dirname, 'test/support/global-teardown.cjs'),
  testSequencer: join(__dirname, 'test/support/order.cjs'),
  maxWorkers: 2,
  // Every file leaves some megabytes in its worker. One with much more than this takes longer to end than jest waits, which
  // then tells of a leak that is none.
  workerIdleMemoryLimit: '300MB',
  // A limit for tests that hang, far above what one takes on a busy machine.
  testTimeout: 300_000,
  projects: [
    {
      ...common,
      displayName: 'packages',
      testMatch: ['<rootDir>/{contracts,core,plugins,services,cli}/**/test/**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '<rootDir>/core/launcher/'],
    },
    {
      ...common,
      displayName: 'platform',
      testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/core/launcher/test/**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, ...proofs],
    },
  ],
};
