import { join } from 'node:path';

/** Where the embedded PostgreSQL keeps what under GANTRY_HOME. */
export interface PostgresLayout {
  readonly root: string;
  readonly data: string;
  /** Password of the database user `gantry`, readable by the owner of GANTRY_HOME only. */
  readonly password: string;
  /** The port of the last start, kept so that clients find the server again. */
  readonly port: string;
  readonly log: string;
}

export function postgresLayout(home: string): PostgresLayout {
  const root = join(home, 'postgres');
  return {
    root,
    data: join(root, 'data'),
    password: join(root, 'password'),
    port: join(root, 'port'),
    log: join(home, 'logs', 'postgres.log'),
  };
}
