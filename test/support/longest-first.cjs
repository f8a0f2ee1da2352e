const { relative } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

/**
 * Rough seconds of the longest test files. A long file that starts last keeps one worker busy while the others are idle, and a
 * fresh clone has no durations of an earlier run in the cache of jest.
 */
const seconds = {
  'test/e2e/admin/content.test.ts': 225,
  'test/e2e/admin/field-kinds.test.ts': 220,
  'test/launcher/several-hosts.test.ts': 210,
  'test/e2e/admin/operations.test.ts': 140,
  'test/e2e/admin/plugins.test.ts': 145,
  'test/launcher/plugin-changes.test.ts': 135,
  'test/launcher/killed-changes.test.ts': 130,
  'test/e2e/rest/content.test.ts': 120,
  'test/services/running-orders.test.ts': 110,
  'test/screenshots/screenshots.test.ts': 100,
  'core/launcher/test/plugin-crashes.test.ts': 80,
  'test/compatibility/earlier-homes.test.ts': 75,
  'test/e2e/admin/accounts.test.ts': 75,
  'test/e2e/admin/trouble.test.ts': 75,
  'test/e2e/admin/whole-walk.test.ts': 75,
  'cli/test/plugins.test.ts': 65,
  'plugins/field-kinds/test/field-kinds.test.ts': 60,
  'test/e2e/admin/webhooks.test.ts': 60,
  'test/workflows/skipped-time.test.ts': 55,
  'cli/test/commands.test.ts': 50,
  'test/e2e/getting-started.test.ts': 50,
  'test/webhooks/webhooks.test.ts': 50,
  'cli/test/ops.test.ts': 45,
  'test/conformance/plugins.test.ts': 45,
  'test/e2e/admin/plugin-pages.test.ts': 45,
  'test/e2e/rest/streams.test.ts': 45,
  'test/conformance/field-kinds.test.ts': 40,
  'test/e2e/sign-in/oidc.test.ts': 40,
  'core/host/test/temporal/temporal.test.ts': 35,
  'core/host/test/check/check-plugins.test.ts': 30,
  'plugins/media/test/media.test.ts': 30,
  'test/webhooks/delivery.test.ts': 30,
  'cli/test/commands-over-http.test.ts': 25,
  'core/launcher/test/temporal.test.ts': 25,
  'core/launcher/test/up.test.ts': 25,
  'test/e2e/rest/imports.test.ts': 25,
  'test/e2e/sign-in/accounts.test.ts': 25,
  'test/e2e/sign-in/open-platform.test.ts': 25,
  'test/e2e/sign-in/rights.test.ts': 25,
  'test/e2e/writing-a-plugin.test.ts': 25,
  'core/host/test/check/check-sources.test.ts': 20,
  'core/host/test/content/write/remove-item.test.ts': 20,
  'core/launcher/test/backup/after-restore.test.ts': 20,
  'core/launcher/test/generations.test.ts': 20,
  'core/launcher/test/recovery.test.ts': 20,
  'core/launcher/test/temporal-program.test.ts': 20,
  'test/conformance/test-platform.test.ts': 20,
  'test/e2e/writing-a-service.test.ts': 20,
  'test/launcher/npm-start.test.ts': 20,
  'core/host/test/plugin-set/follow-plugin-set.test.ts': 15,
  'core/launcher/test/backup/home.test.ts': 15,
  'core/launcher/test/backup/sign-in-after-restore.test.ts': 15,
  'core/launcher/test/host-failures.test.ts': 15,
  'test/e2e/five-processes.test.ts': 15,
  'test/e2e/rest/database-away.test.ts': 15,
  'test/e2e/sign-in/missing-plugins.test.ts': 15,
  'test/e2e/sign-in/public-address.test.ts': 15,
  'test/workflows/check-open-workflows.test.ts': 15,
  'test/workflows/replay.test.ts': 15,
  'cli/test/interruption.test.ts': 10,
  'core/client/test/client.test.ts': 10,
  'core/host/test/check/check-isolation.test.ts': 10,
  'core/host/test/content/changes/stream.test.ts': 10,
  'core/host/test/content/search/search-items.test.ts': 10,
  'core/host/test/content/write/derived-values.test.ts': 10,
  'core/database/test/changes/change-rows.test.ts': 10,
  'core/host/test/database/changes/maintain-changes.test.ts': 10,
  'core/host/test/database/rename-versions.test.ts': 10,
  'core/launcher/test/shared-home.test.ts': 10,
  'core/launcher/test/users.test.ts': 10,
  'core/plugin-api/test/temporal-calls.test.ts': 10,
  'test/conformance/faulty-plugins.test.ts': 10,
  'test/services/walk.test.ts': 10,
  'test/services/without-temporal.test.ts': 10,
};
const secondsOfOthers = 5;

/** Starts the longest files first, by their durations in the last run, or else by the ones above. */
module.exports = class LongestFirst extends TestSequencer {
  time(test) {
    const path = relative(test.context.config.rootDir, test.path).replaceAll('\\', '/');
    return super.time(test) ?? (seconds[path] ?? secondsOfOthers) * 1000;
  }
};
