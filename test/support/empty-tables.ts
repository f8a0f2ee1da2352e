/**
 * A statement that takes all rows out of tables and their search entries; ids begin at 1 again.
 *
 * TRUNCATE makes all files of a table again, which takes some hundred times as long as to delete a few rows. Triggers are passed over,
 * which only a superuser may; other users truncate.
 * @param tables their names, with `%` for any end
 */
export function emptyTables(...tables: readonly string[]): string {
  const names = [...tables, 'gantry_search'].map((name) => `'${name.replaceAll('_', '\\_')}'`).join(', ');
  const found = `FROM pg_class WHERE relname LIKE ANY (ARRAY[${names}]) AND relkind IN ('r', 'p') AND NOT relispartition`;
  return `DO $$ DECLARE one regclass; counter regclass; BEGIN
    IF current_setting('is_superuser') = 'off' THEN
      EXECUTE (SELECT 'TRUNCATE ' || string_agg(oid::regclass::text, ', ') || ' RESTART IDENTITY' ${found});
      RETURN;
    END IF;
    PERFORM set_config('session_replication_role', 'replica', true);
    FOR one IN SELECT oid ${found} LOOP
      EXECUTE 'DELETE FROM ' || one;
    END LOOP;
    FOR counter IN SELECT c.oid FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'S'
      WHERE d.classid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid ${found}) LOOP
      PERFORM setval(counter, 1, false);
    END LOOP;
  END $$`;
}
