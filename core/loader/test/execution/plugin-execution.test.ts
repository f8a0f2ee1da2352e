import { join } from 'node:path';
import type { HostMessage } from '@gantry/contracts';
import { createPluginExecution, type PluginExecution } from '../../src/execution/plugin-execution';

const folder = '/srv/plugins/boats';
const sent: HostMessage[] = [];
let execution: PluginExecution;

beforeEach(() => {
  sent.length = 0;
  execution = createPluginExecution({ notifyLauncher: (message) => sent.push(message) });
  execution.announce([{ id: 'boats', folder, isRequired: false }]);
});
afterEach(() => execution.release());

function thrownAt(position: string, cause?: unknown): Error {
  const error = new Error('sunk', { cause });
  error.stack = `Error: sunk\n    at sail (${position})`;
  return error;
}

describe('the execution of plugin code', () => {
  it('reports which plugins there are before any of their code runs', () => {
    expect(sent).toEqual([{ kind: 'plugins', plugins: [{ id: 'boats', folder, isRequired: false }] }]);
  });

  it('attributes an error to the plugin in whose files it was thrown, or one of its causes', () => {
    const thrown = { plugin: 'boats', evidence: 'stack-frames', detail: 'index.js:3:1' };
    expect(execution.attribute(thrownAt(`${folder}/index.js:3:1`))).toEqual(thrown);
    expect(execution.attribute(thrownAt('/srv/pg/client.js:1:1', thrownAt(`${folder}/index.js:3:1`)))).toEqual(thrown);
  });

  it('attributes what has no stack to the plugin whose code led to it', async () => {
    const attributed = await execution.enter('boats', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return execution.attribute('no error at all');
    });
    expect(attributed).toMatchObject({ plugin: 'boats', evidence: 'async-context' });
  });

  it('attributes nothing to a module of the platform', () => {
    const history = join(__dirname, '../../../modules/history/dist/module.js:9:1');
    expect(execution.attribute(thrownAt(history, thrownAt(history)))).toBeUndefined();
  });

  it('attributes nothing that no plugin has to do with, even when an error is its own cause', () => {
    const error = thrownAt('/srv/host/main.js:1:1');
    error.cause = error;
    expect([execution.attribute(error), execution.attribute(undefined)]).toEqual([undefined, undefined]);
  });
});
