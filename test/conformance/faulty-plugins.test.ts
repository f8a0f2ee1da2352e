import { join } from 'node:path';
import { testPlugin, type CheckResult } from '@gantry/plugin-api/testing';

const project = join(__dirname, '../..');
const timeout = 180_000;

describe('the contract test', () => {
  // Services, and Temporal with them, are no part of it, and take half of the start of a platform.
  beforeAll(() => {
    process.env['GANTRY_PLUGIN_PATH'] = 'plugins';
  });

  test(
    'gives the reason of the platform for a plugin that it does not start',
    async () => {
      const results = await testPlugin(join(project, 'test/samples/broken/undeclared-route'), { project });

      expect(failuresOf(results)['is started by the platform without a problem']).toContain('CONTRIBUTION_MISMATCH');
    },
    timeout,
  );

  test(
    'finds what goes wrong only in use, and nothing else',
    async () => {
      const results = await testPlugin(join(__dirname, 'fixtures/careless-plugin'), { project });

      expect(failuresOf(results)).toEqual({
        'answers an empty request to each of its routes without failing': expect.stringContaining(
          'GET /notes/count answered 500',
        ),
        'says in words why its routes use all items, where they do': expect.stringContaining(
          'gantry.systemScope is "todo"; expected the reason in words',
        ),
        'takes the default of each of its settings as a value': expect.stringContaining('language refuses its default'),
        'note makes its search results and computed values without failing': expect.stringMatching(
          /^searchResult failed: .*Cannot read properties of undefined \(reading 'name'\)/,
        ),
        'note returns every value that it was created with': expect.stringContaining(
          'words was returned with another value',
        ),
        'note changes only what an update sends': expect.stringContaining(
          'words does not have the value that was sent',
        ),
      });
    },
    timeout,
  );
});

function failuresOf(results: readonly CheckResult[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    results.flatMap((result) => (result.outcome === 'failed' ? [[result.name, result.reason]] : [])),
  );
}
