import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginReport, StartupReport } from '@gantry/contracts';
import { createServedPlugins } from '../src/home/served-plugins';
import { makeHome, removeHomes } from './support/homes';

afterEach(removeHomes);

function reportOf(...plugins: readonly (readonly [id: string, version: string, state?: PluginReport['state']])[]) {
  const reports = plugins.map(([id, version, state = 'started']) => ({ id, version, state }));
  return { plugins: reports, schemaDifferences: [], readyAfter: 1 } as unknown as StartupReport;
}

const nothing = { added: [], updated: [] };

function home(): string {
  const folder = makeHome();
  mkdirSync(folder);
  return folder;
}

describe('the plugins that were served', () => {
  it('are compared with those of a start: new ones and new versions were added since', () => {
    const folder = home();
    createServedPlugins(folder).record(reportOf(['boats', '1.0.0'], ['oars', '1.0.0'], ['rafts', '1.0.0', 'failed']));

    const report = reportOf(['boats', '1.0.0'], ['oars', '1.1.0'], ['rafts', '1.0.0'], ['piers', '1.0.0', 'failed']);
    expect(createServedPlugins(folder).compare(report)).toEqual({ added: ['rafts'], updated: ['oars'] });
  });

  it('are unknown at the first start, and after the file was damaged: then nothing counts as added', () => {
    const folder = home();
    expect(createServedPlugins(folder).compare(reportOf(['boats', '1.0.0']))).toEqual(nothing);
    writeFileSync(join(folder, 'served-plugins.json'), '{"plugins"');
    expect(createServedPlugins(folder).compare(reportOf(['boats', '1.0.0']))).toEqual(nothing);
  });

  it('of a process that runs only some do not replace the others', () => {
    const folder = home();
    const served = createServedPlugins(folder);
    served.record(reportOf(['boats', '1.0.0']));
    served.record(reportOf(['oars', '1.0.0']));
    expect(served.compare(reportOf(['boats', '1.0.0'], ['oars', '1.0.0']))).toEqual(nothing);
  });
});
