import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FieldOptions } from '../items/item-metadata';
import { fieldKindChecks, type KindBench } from './checks/field-kind-checks';
import { messageOf } from './message-of';
import type { PluginTestOptions } from './options';
import { createRowClient } from './platform-client';
import { startPlatform } from './start-platform';
import type { CheckResult } from './test-plugin';

/** Options of the contract test of a field kind. @public */
export interface FieldKindTestOptions extends PluginTestOptions {
  /** The kind as fields declare it, for example `geo.Point`; also a field type of the platform. */
  readonly kind: string;
  /** Gives a random value that is accepted, in the form in which it is shown. */
  readonly value: () => unknown;
  /** Values that are refused, beside those that the test makes up. */
  readonly refused: readonly unknown[];
  /** The text of a criterion that finds the value; the value itself unless given. */
  readonly text?: (value: unknown) => string;
  /** Further options of the field, for example `settings`. */
  readonly field?: Partial<FieldOptions>;
  /** How many values make the round trips; 100 unless given. */
  readonly count?: number;
}

/**
 * Runs the contract test of a field kind: in a real platform, with a type that has a field of the kind, random values go through
 * REST, files, the history, filters and sorting, and have to come back as they were.
 * @param folder The folder of the plugin package that brings the kind, built.
 * @param options of one kind, or of several kinds that are tested in one platform, whose options are those of the first
 * @example
 * const point = () => ({ lat: randomInt(-90, 91), lng: randomInt(-180, 181) });
 * const results = await testFieldKind(__dirname, { kind: 'geo.Point', value: point, refused: [{ lat: 91, lng: 0 }] });
 * @public
 */
export async function testFieldKind(
  folder: string,
  options: FieldKindTestOptions | readonly FieldKindTestOptions[],
): Promise<readonly CheckResult[]> {
  const kinds = [options].flat();
  const [first] = kinds;
  if (first === undefined) return [];
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-kind-test-'));
  writeSamplePlugin(scratch, kinds);
  try {
    const platform = await startPlatform([resolve(folder), scratch], first);
    try {
      return await testAll(platform.address, kinds);
    } finally {
      await platform.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Of several kinds, the names of checks begin with that of the kind. */
async function testAll(address: string, kinds: readonly FieldKindTestOptions[]): Promise<readonly CheckResult[]> {
  const all: CheckResult[] = [];
  for (const [index, { kind, value, refused, count = 100, text = String }] of kinds.entries()) {
    const client = createRowClient(address);
    const type = `kindsample${index}`;
    const results = await runChecks({ address, client, type, kind, value, refused, count, text });
    all.push(...results.map((result) => (kinds.length === 1 ? result : { ...result, name: `${kind} ${result.name}` })));
  }
  return all;
}

async function runChecks(bench: KindBench): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(fieldKindChecks)) {
    const result = await resultOf(name, check(bench));
    results.push(result);
    if (results.length === 1 && result.outcome === 'failed') break;
  }
  return results;
}

async function resultOf(name: string, check: Promise<void>): Promise<CheckResult> {
  try {
    await check;
    return { name, outcome: 'passed' };
  } catch (error) {
    return { name, outcome: 'failed', reason: messageOf(error) };
  }
}

/** A plugin package with a type for each kind; in plain JavaScript, as there is no compiler here. */
function writeSamplePlugin(folder: string, kinds: readonly FieldKindTestOptions[]): void {
  // A kind of the platform has no plugin.
  const plugins = kinds.flatMap(({ kind }) => (kind.includes('.') ? kind.split('.').slice(0, 1) : []));
  const manifest = {
    name: 'gantry-plugin-kind-sample',
    version: '1.0.0',
    main: './lib/index.js',
    keywords: ['gantry-plugin'],
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: {
      manifestVersion: 1,
      id: 'kind-sample',
      displayName: 'Sample of field kinds',
      dependsOn: Object.fromEntries(plugins.map((plugin) => [plugin, '*'])),
      contributes: { itemTypes: kinds.map((_kind, index) => `kindsample${index}`), taskQueues: [], routes: [] },
    },
  };
  const fields = kinds.map(({ kind, field }) => ({ displayName: 'Value', searchable: true, ...field, type: kind }));
  mkdirSync(join(folder, 'lib'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'lib/index.js'),
    `const { BaseItem, definePlugin, Field, ItemType } = require('@gantry/plugin-api');
const itemTypes = ${JSON.stringify(fields)}.map((options, index) => {
  const name = 'KindSample' + index;
  const Sample = { [name]: class extends BaseItem {} }[name];
  Field({ displayName: 'Key', required: true, searchable: true })(Sample.prototype, 'key');
  Field(options)(Sample.prototype, 'value');
  ItemType({ unique: [['key']] })(Sample);
  return Sample;
});
exports.default = definePlugin({ id: 'kind-sample', itemTypes });
`,
  );
}
