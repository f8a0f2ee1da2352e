import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { LauncherError } from '../common/launcher-error';
import { readIfThere } from '../common/files';

/** How a PostgreSQL program is started: as ourselves, or, because PostgreSQL refuses root, as an ordinary user. */
export interface RunAs {
  /** Owner of the data folder; undefined when it is ourselves. */
  readonly owner: { readonly uid: number; readonly gid: number; readonly name: string } | undefined;
  /** Program and arguments to start in place of `program`. */
  command(program: string, args: readonly string[]): readonly [program: string, args: readonly string[]];
  /** Options for child_process that go with it. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

const ourselves: RunAs = { owner: undefined, command: (program, args) => [program, args], identity: {} };

/**
 * Chooses the user for PostgreSQL. Root becomes `postgres`, or `nobody` where that does not exist, or the owner of a data
 * folder that is already there. When folders on the way are closed to that user (a clone under /root, say), it keeps just
 * the capability to pass through them.
 * @param programs must be executable for that user
 * @param folder must be reachable for that user
 * @throws LauncherError when no way works.
 */
export function chooseRunAs(programs: readonly string[], folder: string, dataFolder: string): RunAs {
  if (process.getuid?.() !== 0) return ourselves;
  const owner = ownerOf(dataFolder) ?? accountOf('postgres') ?? accountOf('nobody');
  if (owner === undefined) {
    throw new LauncherError(
      'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor a user "nobody".',
      'Start as an ordinary user, or set DATABASE_URL to the address of another PostgreSQL, version 14 or newer.',
    );
  }
  const ways = [
    plain(owner),
    withCapabilities(owner, '+dac_read_search'),
    withCapabilities(owner, '+dac_override,+dac_read_search'),
  ];
  const way = ways.find((candidate) => reaches(candidate, programs, folder));
  if (way !== undefined) return way;
  throw new LauncherError(
    `PostgreSQL refuses to run as root, and the user "${owner.name}" may not enter ${folder} or ${programs[0] ?? ''}.`,
    'Start as an ordinary user, or move the project to a folder that every user may enter, or set GANTRY_HOME to such a folder.',
  );
}

type Owner = NonNullable<RunAs['owner']>;

function plain(owner: Owner): RunAs {
  return { owner, command: (program, args) => [program, args], identity: { uid: owner.uid, gid: owner.gid } };
}

/**
 * Ambient capabilities outlive exec. `no_setuid_fixup` is for access(2), by which PostgreSQL looks for its own programs:
 * it otherwise ignores the capabilities of every user but root.
 */
function withCapabilities(owner: Owner, capabilities: string): RunAs {
  const identity = ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups'];
  const rights = ['--inh-caps', capabilities, '--ambient-caps', capabilities, '--securebits', '+no_setuid_fixup'];
  return {
    owner,
    command: (program, args) => ['setpriv', [...identity, ...rights, '--', program, ...args]],
    identity: {},
  };
}

/** Really tries, because modes, access lists, mounts and containers all have a say. */
function reaches(way: RunAs, programs: readonly string[], folder: string): boolean {
  const script = 'test -x "$1" && shift && for program; do "$program" --version >/dev/null || exit 1; done';
  const [program, args] = way.command('/bin/sh', ['-c', script, 'sh', folder, ...programs]);
  return spawnSync(program, args, { ...way.identity, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** The owner of an existing data folder, unless that is root. */
function ownerOf(dataFolder: string): Owner | undefined {
  const stats = statSync(dataFolder, { throwIfNoEntry: false });
  if (stats === undefined || stats.uid === 0) return undefined;
  const account = accounts().find(({ uid }) => uid === stats.uid);
  return { uid: stats.uid, gid: stats.gid, name: account?.name ?? String(stats.uid) };
}

function accountOf(name: string): Owner | undefined {
  return accounts().find((account) => account.name === name);
}

function accounts(): readonly Owner[] {
  return (readIfThere('/etc/passwd') ?? '').split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name === undefined || uid === undefined || gid === undefined
      ? []
      : [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
