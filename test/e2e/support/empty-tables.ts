import { execute } from '../../support/database';

/** Removes all items and preferences of a host, but not the history of what was done; ids begin at 1 again, as on a new database. */
export function emptyTables({ databaseUrl }: { readonly databaseUrl: string }): Promise<void> {
  return execute(
    databaseUrl,
    `DO $$ DECLARE tables text; BEGIN
       SELECT string_agg(quote_ident(tablename), ', ') INTO tables FROM pg_tables
       WHERE schemaname = 'public' AND tablename NOT LIKE 'gantry\\_%';
       EXECUTE 'TRUNCATE ' || tables || ' RESTART IDENTITY';
     END $$`,
  );
}
