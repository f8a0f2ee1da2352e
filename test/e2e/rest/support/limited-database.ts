import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from '../../../support/database';

/** A database whose disk can be full and which can be read-only. */
export interface LimitedDatabase {
  readonly url: string;
  /** Takes all space of its disk. */
  fill(): Promise<void>;
  free(): Promise<void>;
  setReadOnly(isReadOnly: boolean): Promise<void>;
  remove(): Promise<void>;
}

type Disk = Pick<LimitedDatabase, 'fill' | 'free'>;

const name = 'limited';

/**
 * Where a file system can be mounted, the database is on one of 48 MB, and PostgreSQL itself finds it full. Elsewhere its
 * tables raise what PostgreSQL raises then.
 */
export async function createLimitedDatabase(serverUrl: string, dataFolder: string): Promise<LimitedDatabase> {
  // Not in the home of the server: what a killed test leaves mounted could not be removed with it.
  const folder = mkdtempSync(join(tmpdir(), 'gantry-test-disk-'));
  chmodSync(folder, 0o755);
  const isMounted = mountDisk(folder, statSync(dataFolder).uid);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  if (isMounted) await execute(serverUrl, `CREATE TABLESPACE ${name} LOCATION '${join(folder, 'data')}'`);
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 ${isMounted ? `TABLESPACE ${name}` : ''}`);
  const disk = isMounted ? realDisk(folder) : pretendedDisk(serverUrl, url.href);
  return {
    url: url.href,
    ...disk,
    setReadOnly: async (isReadOnly) => {
      await change(serverUrl, `SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
    },
    remove: async () => {
      await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      if (isMounted) {
        await execute(serverUrl, `DROP TABLESPACE ${name}`);
        execFileSync('umount', [folder]);
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** @returns whether this user may mount. */
function mountDisk(folder: string, uid: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m,mode=755', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  const data = join(folder, 'data');
  mkdirSync(data);
  chownSync(data, uid, uid);
  return true;
}

function realDisk(folder: string): Disk {
  const filler = join(folder, 'filler');
  return {
    fill: async () => {
      for (const size of [1024 * 1024, 4096]) writeUntilFull(filler, size);
    },
    free: async () => rmSync(filler),
  };
}

function writeUntilFull(file: string, size: number): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** PostgreSQL raises the same SQLSTATE class where a limit of temporary files is reached. */
function pretendedDisk(serverUrl: string, url: string): Disk {
  const onTables = (statement: string) => `
    DO $$ DECLARE one record; BEGIN
      FOR one IN SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('${statement}', one.name);
      END LOOP;
    END $$`;
  return {
    fill: async () => {
      await execute(
        url,
        `CREATE OR REPLACE FUNCTION raise_full() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      );
      await execute(
        url,
        onTables('CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION raise_full()'),
      );
      await change(serverUrl, 'SET temp_file_limit = 0');
    },
    free: async () => {
      await execute(url, onTables('DROP TRIGGER full_disk ON %s'));
      await change(serverUrl, 'RESET temp_file_limit');
    },
  };
}

/** Changes a setting of the database, for connections that are open too: they are ended. */
async function change(serverUrl: string, setting: string): Promise<void> {
  await execute(serverUrl, `ALTER DATABASE ${name} ${setting}`);
  await execute(serverUrl, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
}
