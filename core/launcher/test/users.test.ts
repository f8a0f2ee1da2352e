import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRunning } from '../../../test/support/is-running';
import { findPostgresBinaries } from '../src/postgres/binaries';
import { clusterPassword, ensureCluster } from '../src/postgres/cluster';
import { postgresLayout } from '../src/postgres/layout';
import { chooseRunAs } from '../src/postgres/run-as';
import { startPostgres } from '../src/postgres/start-postgres';
import { postmasterPid } from '../../../test/support/postmaster-pid';
import { makeHome, removeHomes } from './support/homes';
import { endOuters, startOuter } from './support/outer';

afterEach(async () => {
  await endOuters();
  removeHomes();
});

const root = process.getuid?.() === 0;

describe('PostgreSQL of an ordinary user', () => {
  it('runs as that user, who owns all files', async () => {
    const home = makeHome();
    const user = root ? numbers('nobody') : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    chownSync(dirname(home), user.uid, user.gid);
    const outer = startOuter({
      home,
      cwd: '/',
      prefix: root ? ['setpriv', '--reuid=nobody', `--regid=${user.gid}`, '--clear-groups'] : [],
    });
    await outer.ready;

    expect(statSync(`/proc/${postmasterPid(home)}`).uid).toBe(user.uid);
    expect(statSync(join(home, 'postgres/password')).uid).toBe(user.uid);
    outer.kill('SIGINT');
    expect((await outer.exit).code).toBe(0);
  });
});

// Tests of what only root can do exist only for root.
if (root) {
  describe('PostgreSQL started by root', () => {
    it('runs as another user, who owns the data folder; in a home that only root may enter with the one right to pass through, and otherwise with none', async () => {
      const home = makeHome();
      chmodSync(dirname(home), 0o700);
      const first = await startPostgres({ home });
      const capability = capabilities(first.pid() ?? 0);
      await first.stop();
      chmodSync(dirname(home), 0o755);
      const second = await startPostgres({ home });
      const pid = second.pid() ?? 0;

      expect(capability).toBe(1n << 2n);
      expect(second.port).toBe(first.port);
      expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
      expect(statSync(second.dataFolder).uid).toBe(statSync(`/proc/${pid}`).uid);
      expect(capabilities(pid)).toBe(0n);
      await second.stop();
      expect(isRunning(pid)).toBe(false);

      // And then by an ordinary user.
      const outer = startOuter({
        home,
        cwd: '/',
        prefix: ['setpriv', '--reuid=nobody', `--regid=${numbers('nobody').gid}`, '--clear-groups'],
      });
      expect((await outer.exit).code).toBe(1);
      expect(outer.errors()).toMatch(/\(EACCES\)\.\n {2}.*owner/);
    });

    it('is refused to a user who may not take over what a killed process of another has left', async () => {
      const home = makeHome();
      mkdirSync(home);
      writeFileSync(join(home, 'lock'), JSON.stringify({ pid: 1, startedAt: 'another time', purpose: 'gantry up' }));
      const outer = startOuter({ home, cwd: '/', prefix: ['setpriv', '--reuid=nobody', '--clear-groups'] });

      expect((await outer.exit).code).toBe(1);
      expect(outer.errors()).toMatch(/^gantry: .*\/lock\.\w+ .*\(EACCES\)\.\n {2}.*owner/);
    });

    it('works with programs that only root may run, as in a clone made with umask 077', async () => {
      const home = makeHome();
      mkdirSync(home);
      chmodSync(dirname(home), 0o700);
      const { postgres } = findPostgresBinaries();
      execFileSync('cp', ['-a', join(dirname(postgres), '..'), join(home, 'native')]);
      execFileSync('chmod', ['-R', 'go-rwx', join(home, 'native')]);
      const binaries = {
        postgres: join(home, 'native/bin/postgres'),
        initdb: join(home, 'native/bin/initdb'),
        major: 18,
      };
      const layout = postgresLayout(home);
      mkdirSync(layout.root);
      clusterPassword(layout);

      const runAs = chooseRunAs([binaries.postgres, binaries.initdb], layout.root, layout.data);

      expect(await ensureCluster(layout, binaries, runAs, new AbortController().signal)).toBe(true);
      expect(statSync(layout.data).uid).toBe(runAs.owner?.uid);
    });

    it('keeps to the owner of a data folder that is there', () => {
      const home = makeHome();
      mkdirSync(home);
      const { uid, gid } = numbers('nobody');
      chownSync(home, uid, gid);

      expect(chooseRunAs([findPostgresBinaries().postgres], '/', home).owner).toMatchObject({ uid, name: 'nobody' });
    });
  });
}

function numbers(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

function capabilities(pid: number): bigint {
  const status = execFileSync('cat', [`/proc/${pid}/status`], { encoding: 'utf8' });
  return BigInt(`0x${/CapEff:\s*(\w+)/.exec(status)?.[1] ?? ''}`);
}
