import { strict as assert } from 'node:assert';
import type { ContributedViews, Permission, PluginReport, StartupReport } from '@gantry/contracts';
import type { Bench, Testbed } from '../bench';
import type { PluginCheck } from './plugin-check';

/** Later checks cannot pass when this one fails. */
export const startCheckName = 'is started by the platform without a problem';

/** Checks of the plugin as a whole, by the platform. */
export function platformChecks(): readonly PluginCheck[] {
  return [
    { name: startCheckName, run: isStarted },
    { name: 'contributes the item types that its manifest names', run: contributesItemTypes },
    { name: 'needs no database change that requires a migration', run: hasNoSchemaDifference },
    { name: 'has its item types in the OpenAPI document', run: isDocumented },
    { name: 'declares permissions that roles can have', run: permissionsCanBeGranted },
    { name: 'has the commands of its manifest on the command line', run: commandsAreOffered },
    { name: 'answers the rows of the home cards and pages of its manifest', run: viewsAreAnswered },
    { name: 'has the metrics of its manifest on /metrics', run: metricsAreShown },
    { name: 'answers an empty request to each of its routes without failing', run: routesAnswer },
  ];
}

async function isStarted(bench: Bench): Promise<void> {
  const { plugins } = await startupReport(await bench.platform());
  const report = reportOf(bench, plugins);
  const problems = report.problems.map(({ code, reason, remedy }) => `${code}: ${reason}. ${remedy}`);
  assert.equal(report.state, 'started', `The plugin is ${report.state}. ${problems.join(' ')}`);
}

async function contributesItemTypes(bench: Bench): Promise<void> {
  const { client } = await bench.platform();
  const own = (await client.types()).filter(({ plugin }) => plugin === bench.plugin.id).map(({ type }) => type);
  assert.deepEqual(
    own.toSorted(),
    bench.plugin.itemTypes.toSorted(),
    'The type list and gantry.contributes.itemTypes differ',
  );
}

async function hasNoSchemaDifference(bench: Bench): Promise<void> {
  const { schemaDifferences } = await startupReport(await bench.platform());
  const own = schemaDifferences
    .filter(({ plugin }) => plugin === bench.plugin.id)
    .map(({ description }) => description);
  assert.deepEqual(own, [], `On a new database: ${own.join('; ')}`);
}

async function isDocumented(bench: Bench): Promise<void> {
  const { client } = await bench.platform();
  const { status, body, summary } = await client.request('GET', '/api/openapi.json');
  assert.equal(status, 200, summary);
  const { paths } = JSON.parse(body) as { readonly paths: Readonly<Record<string, unknown>> };
  const missing = bench.plugin.itemTypes.filter((type) => paths[`/api/cms/items/${type}/list`] === undefined);
  assert.deepEqual(missing, [], `The document lacks ${missing.join(', ')}`);
}

async function permissionsCanBeGranted(bench: Bench): Promise<void> {
  const { client } = await bench.platform();
  const answer = await client.request<readonly Permission[]>('GET', '/api/platform/permissions');
  assert.equal(answer.status, 200, answer.summary);
  const shown = answer.data.filter(({ displayName }) => /\S/.test(displayName)).map(({ name }) => name);
  const missing = bench.plugin.permissions.filter((name) => !shown.includes(name));
  assert.deepEqual(missing, [], `Roles cannot have ${missing.join(', ')}: check gantry.contributes.permissions`);
}

async function commandsAreOffered(bench: Bench): Promise<void> {
  if (bench.plugin.commands.length === 0) return;
  const { client } = await bench.platform();
  const answer = await client.request<readonly OfferedCommand[]>('GET', '/api/platform/commands');
  assert.equal(answer.status, 200, answer.summary);
  const offered = answer.data.filter(({ plugin }) => plugin === bench.plugin.id).map(({ name }) => name);
  assert.deepEqual(offered, bench.plugin.commands, 'gantry call and gantry.contributes.commands differ');
}

interface OfferedCommand {
  readonly plugin: string;
  readonly name: string;
}

async function viewsAreAnswered({ plugin, platform }: Bench): Promise<void> {
  if (plugin.homeCards.length + plugin.tablePages.length === 0) return;
  const { client } = await platform();
  const answer = await client.request<ContributedViews>('GET', '/api/platform/views');
  assert.equal(answer.status, 200, answer.summary);
  const [homeCards, pages] = [answer.data.homeCards, answer.data.tablePages].map((views) =>
    views.filter((view) => view.plugin === plugin.id),
  );
  const shown = { homeCards: homeCards?.map(({ name }) => name), tablePages: pages?.map(({ name }) => name) };
  const declared = { homeCards: plugin.homeCards, tablePages: plugin.tablePages };
  assert.deepEqual(shown, declared, 'The admin pages and gantry.contributes differ');
  for (const { name, path } of [...(homeCards ?? []), ...(pages ?? [])]) {
    const rows = await client.request('GET', path);
    assert.equal(rows.status, 200, `The rows of "${name}": ${rows.summary}`);
    assert.ok(Array.isArray(rows.data), `The rows of "${name}" are no list: ${rows.summary}`);
  }
}

async function metricsAreShown({ plugin, platform }: Bench): Promise<void> {
  if (plugin.metrics.length === 0) return;
  const { client } = await platform();
  await client.request('GET', '/metrics');
  // Failures of the first reading are in the second one.
  const { status, body, summary } = await client.request('GET', '/metrics');
  assert.equal(status, 200, summary);
  const prefix = `gantry_plugin_${plugin.id.replaceAll('-', '_')}_`;
  const missing = plugin.metrics.filter((name) => !body.includes(`# TYPE ${prefix}${name} `));
  assert.deepEqual(missing, [], `/metrics lacks ${missing.join(', ')}`);
  const unread = body.split('\n').filter((line) => line.startsWith('gantry_plugin_metric_failures_total{'));
  const own = unread.filter((line) => line.includes(`plugin="${plugin.id}"`));
  assert.deepEqual(own, [], 'A metric could not be read');
}

async function routesAnswer(bench: Bench): Promise<void> {
  const { client } = await bench.platform();
  for (const route of bench.plugin.routes) {
    const [method = 'GET', pattern = '/'] = route.split(' ');
    const path = pattern
      .replace(/\/\*$/, '/')
      .replaceAll(/[{}]/g, '')
      .replaceAll(/[:*]\w+/g, 'unknown');
    const answer = await client.request(method, path, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
    assert.notEqual(answer.status, 500, `A route must answer bad input with 4xx: ${answer.summary}`);
    assert.notEqual(answer.error?.code, 'METHOD_NOT_ALLOWED', `The route is not served: ${answer.summary}`);
  }
}

async function startupReport({ client }: Testbed): Promise<StartupReport> {
  const answer = await client.request<StartupReport>('GET', '/api/platform/plugins');
  assert.equal(answer.status, 200, answer.summary);
  return answer.data;
}

function reportOf({ plugin }: Bench, reports: readonly PluginReport[]): PluginReport {
  const found = reports.find(({ id }) => id === plugin.id);
  if (found !== undefined) return found;
  const known = reports.map(({ id, folder }) => `${id} (${folder})`).join(', ');
  throw new Error(`The platform did not discover the plugin in ${plugin.folder}; it found ${known}.`);
}
