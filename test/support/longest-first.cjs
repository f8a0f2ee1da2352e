const { relative } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

/**
 * Rough seconds of the longest test files. A long file that starts last keeps one worker busy while the others are idle, and a
 * fresh clone has no durations of an earlier run in the cache of jest.
 */
const seconds = {
  'test/faults/host-killed.test.ts': 100,
  'cli/test/ops.test.ts': 85,
  'test/faults/servers-killed.test.ts': 80,
  'test/e2e/admin/operations.test.ts': 70,
  'test/e2e/getting-started.test.ts': 60,
  'test/e2e/admin/plugins.test.ts': 60,
  'test/launcher/plugin-changes.test.ts': 55,
  'test/faults/workers-missing.test.ts': 50,
  'core/launcher/test/temporal.test.ts': 50,
  'cli/test/items.test.ts': 45,
  'core/launcher/test/plugin-crashes.test.ts': 45,
  'core/launcher/test/recovery.test.ts': 45,
  'cli/test/commands-over-http.test.ts': 45,
  'test/e2e/sign-in/oidc-settings.test.ts': 45,
  'test/e2e/admin/order-list.test.ts': 45,
  'test/e2e/admin/accessibility.test.ts': 40,
  'cli/test/database.test.ts': 40,
  'test/e2e/admin/whole-walk.test.ts': 40,
  'core/launcher/test/up.test.ts': 35,
  'test/services/ops.test.ts': 35,
  'test/e2e/writing-a-service.test.ts': 30,
  'test/e2e/writing-a-plugin.test.ts': 30,
  'test/conformance/shipped-plugins.test.ts': 30,
  'test/e2e/admin/views.test.ts': 30,
  'test/e2e/rest/imports.test.ts': 30,
  'test/e2e/rest/database-away.test.ts': 30,
  'test/e2e/admin/plugin-pages-in-trouble.test.ts': 30,
  'test/e2e/admin/trouble.test.ts': 30,
  'test/e2e/rest/streaming.test.ts': 30,
  'core/launcher/test/temporal-program.test.ts': 30,
  'core/launcher/test/host-failures.test.ts': 30,
  'core/launcher/test/shared-home.test.ts': 30,
  'test/e2e/admin/forms.test.ts': 30,
  'cli/test/users.test.ts': 30,
  'cli/test/oidc.test.ts': 30,
  'test/e2e/admin/history.test.ts': 30,
  'core/host/test/plugins/registry.test.ts': 25,
  'cli/test/plugins.test.ts': 25,
  'test/e2e/admin/lists.test.ts': 25,
  'core/launcher/test/backup/home.test.ts': 25,
  'test/e2e/admin/plugin-pages.test.ts': 25,
  'test/e2e/five-processes.test.ts': 25,
  'core/launcher/test/users.test.ts': 25,
  'test/workflows/replay.test.ts': 25,
  'test/e2e/sign-in/public-address.test.ts': 25,
  'test/e2e/admin/images.test.ts': 25,
  'test/workflows/order-branches.test.ts': 20,
  'core/launcher/test/generations.test.ts': 20,
  'test/e2e/admin/order-decisions.test.ts': 20,
  'test/webhooks/webhooks.test.ts': 20,
  'test/e2e/admin/roles.test.ts': 20,
  'core/host/test/check/check-plugins.test.ts': 15,
  'test/services/order-decisions.test.ts': 15,
  'test/e2e/rest/protocol.test.ts': 15,
  'test/services/ops-missing-worker.test.ts': 15,
  'test/e2e/admin/hostile-values.test.ts': 15,
  'test/launcher/npm-start.test.ts': 15,
  'test/e2e/admin/keyboard.test.ts': 15,
  'cli/test/changes.test.ts': 15,
  'test/architecture/lint-rules.test.ts': 15,
  'test/webhooks/delivery.test.ts': 15,
  'test/e2e/sign-in/removed-fields.test.ts': 15,
};
const secondsOfOthers = 5;

/** Starts the longest files first, by their durations in the last run, or else by the ones above. */
module.exports = class LongestFirst extends TestSequencer {
  time(test) {
    const path = relative(test.context.config.rootDir, test.path).replaceAll('\\', '/');
    return super.time(test) ?? (seconds[path] ?? secondsOfOthers) * 1000;
  }
};
