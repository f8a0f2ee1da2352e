import { execute } from '../../support/database';

/** Removes all items of a host, their history and preferences; ids begin at 1 again, as on a new database. */
export function emptyTables({ databaseUrl }: { readonly databaseUrl: string }): Promise<void> {
  return execute(
    databaseUrl,
    `DO $$ DECLARE tables text; BEGIN
       SELECT string_agg(quote_ident(tablename), ', ') INTO tables FROM pg_tables
       WHERE schemaname = 'public' AND tablename NOT LIKE 'gantry\\_%';
       EXECUTE 'TRUNCATE ' || tables || ' RESTART IDENTITY';
       TRUNCATE gantry_change;
     END $$`,
  );
}
