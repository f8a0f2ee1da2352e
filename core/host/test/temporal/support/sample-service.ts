import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger, ServiceDefinition } from '@gantry/plugin-api';
import { bundleOnce } from '../../../../../test/support/bundle-once';
import { withoutSourceMap } from '../../../../../test/workflows/support/workflow-code';
import type { RegisteredPlugin } from '@gantry/core-loader';

const project = join(__dirname, '..', '..', '..', '..', '..');

/** A workflow that calls the activity `work` on the queue `work-tq`, and one that gives the arguments of its first three signals. */
const source = `
const { proxyActivities, defineSignal, setHandler, condition } = require('@temporalio/workflow');
const { work } = proxyActivities({ taskQueue: 'work-tq', startToCloseTimeout: '1 minute' });
exports.callWork = (word) => work(word);
exports.callSignalled = async () => {
  const received = [];
  setHandler(defineSignal('more'), (...args) => void received.push(args));
  await condition(() => received.length === 3);
  return received;
};
`;

export interface SampleBundle {
  readonly file: string;
  remove(): Promise<void>;
}

/** Made by the build's own script, as those of the services are. */
export async function bundleSampleWorkflow(): Promise<SampleBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-sample-service-'));
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist', 'workflows.js'), source);
  const file = await bundleOnce(folder, 'sample-service');
  await writeFile(file, withoutSourceMap(await readFile(file, 'utf8')));
  return {
    file,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A plugin as it is after `register`, with this service. */
export function pluginWith(id: string, service: ServiceDefinition): RegisteredPlugin {
  return {
    manifest: {
      id,
      displayName: id,
      packageName: id,
      version: '1.0.0',
      main: './index.js',
      pluginApiRange: '*',
      dependsOn: {},
      optionalDependsOn: {},
      contributes: { itemTypes: [], taskQueues: [service.taskQueue], routes: [] },
      required: false,
    },
    folder: '/nowhere',
    definition: { id, service },
    routes: [],
    mounts: [],
    calls: { commands: [], homeCards: [], tablePages: [] },
    context: {
      plugin: { id, version: '1.0.0' },
      logger: silent,
      config: {},
      dataFolder: '/nowhere',
      items: {
        as: () => undefined as never,
        asPlugin: () => undefined as never,
        of: () => undefined as never,
        byType: () => undefined as never,
        transaction: () => Promise.reject(new Error('no items')),
      },
      services: { get: () => undefined as never, find: () => undefined },
      database: { query: () => Promise.resolve([]), transaction: () => Promise.reject(new Error('no database')) },
      settings: { get: () => undefined as never },
      metrics: { add: () => undefined, set: () => undefined, observe: () => undefined },
      temporal: { namespace: 'default', client: () => Promise.reject(new Error('no client')) },
      platform: {
        pluginIds: () => [],
        pluginUis: () => Promise.resolve([]),
        views: () => ({ homeCards: [], tablePages: [] }),
        itemTypes: () => [],
        itemMetadata: () => undefined,
      },
      now: () => new Date(),
      signal: new AbortController().signal,
    },
  };
}

const nothing = (): void => undefined;
export const silent: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
