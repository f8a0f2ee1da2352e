import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { HostConfig } from '@gantry/host/config';
import { createRunRecord } from '../src/servers/run-record';
import { readRunFile } from '../src/home/run-file';
import { makeHome, removeHomes } from './support/homes';

afterAll(removeHomes);

const lease = { isOwner: () => true, tryOwn: () => true, release: () => {} };
const host = { pid: 7, startedAt: 'now' };

describe('what a platform publishes about itself', () => {
  it('is reported as soon as it can be written again, and until then the platform continues', () => {
    const warnings: string[] = [];
    const home = makeHome();
    mkdirSync(home);
    const record = createRecord(home, warnings);
    record.change({ host });
    putFileInPlaceOf(home);

    record.change({ address: 'http://127.0.0.1:3000' });
    rmSync(home);
    mkdirSync(home);
    record.change({});

    expect(warnings).toEqual(['other processes cannot be notified of a change']);
    expect(readRunFile(home)).toMatchObject({ host, address: 'http://127.0.0.1:3000' });
  });

  it('ends the start when it cannot be written from the beginning', () => {
    const home = makeHome();
    putFileInPlaceOf(home);

    expect(() => createRecord(home, []).change({ host })).toThrow(/run\.json .*\(ENOTDIR\)/);
  });
});

function createRecord(home: string, warnings: string[]) {
  const config = { home, project: '/project', pluginPath: [], databaseUrl: '' } as unknown as HostConfig;
  const logger = { info: () => {}, warn: (message: string) => void warnings.push(message), error: () => {} };
  return createRunRecord(config, lease, [], logger);
}

/** As good as a full disk. */
function putFileInPlaceOf(home: string): void {
  rmSync(home, { recursive: true, force: true });
  writeFileSync(home, '');
}
