/**
 * Queries of PostgreSQL's catalogue that each give statements: together they make the schema of a database again. They need
 * an empty search_path, so that PostgreSQL writes every name with its schema. Objects that belong to an extension come with
 * it; what belongs to PostgreSQL is left out.
 */

const ownSchema = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";

function notOfExtension(catalogue: string, oid: string): string {
  return `NOT EXISTS (SELECT FROM pg_depend m
    WHERE m.classid = 'pg_catalog.${catalogue}'::regclass AND m.objid = ${oid} AND m.deptype = 'e')`;
}

const ownRelation = `${ownSchema} AND ${notOfExtension('pg_class', 'c.oid')}`;

const options = (list: string): string => `array_to_string(${list}, ', ')`;

const sequenceOptions = `format('INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s CACHE %s%s',
  s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END)`;

const schemas = `
  SELECT format('CREATE SCHEMA IF NOT EXISTS %I', n.nspname) AS statement
  FROM pg_namespace n WHERE ${ownSchema} AND ${notOfExtension('pg_namespace', 'n.oid')} ORDER BY n.nspname`;

const extensions = `
  SELECT format('CREATE EXTENSION IF NOT EXISTS %I SCHEMA %I', e.extname, n.nspname) AS statement
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname <> 'plpgsql' ORDER BY e.oid`;

const enums = `
  SELECT format('CREATE TYPE %I.%I AS ENUM (%s)', n.nspname, t.typname,
    (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)
  ) AS statement
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE t.typtype = 'e' AND ${ownSchema} AND ${notOfExtension('pg_type', 't.oid')} ORDER BY t.oid`;

const domains = `
  SELECT format('CREATE DOMAIN %I.%I AS %s%s%s%s', n.nspname, t.typname, format_type(t.typbasetype, t.typtypmod),
    (SELECT format(' COLLATE %I.%I', cn.nspname, co.collname) FROM pg_collation co
      JOIN pg_namespace cn ON cn.oid = co.collnamespace JOIN pg_type b ON b.oid = t.typbasetype
      WHERE co.oid = t.typcollation AND t.typcollation <> b.typcollation),
    ' DEFAULT ' || t.typdefault,
    coalesce((SELECT string_agg(format(' CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)), '' ORDER BY k.conname)
      FROM pg_constraint k WHERE k.contypid = t.oid), '')
      || CASE WHEN t.typnotnull AND current_setting('server_version_num')::int < 170000 THEN ' NOT NULL' ELSE '' END
  ) AS statement
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE t.typtype = 'd' AND ${ownSchema} AND ${notOfExtension('pg_type', 't.oid')} ORDER BY t.oid`;

/** Sequences, without those of identity columns, which come with their tables. */
const sequences = `
  SELECT format('CREATE %sSEQUENCE %I.%I AS %s %s', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END,
    n.nspname, c.relname, format_type(s.seqtypid, NULL), ${sequenceOptions}) AS statement
  FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${ownRelation} AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_catalog.pg_class'::regclass
    AND d.objid = c.oid AND d.refobjsubid > 0 AND d.deptype = 'i') ORDER BY c.oid`;

const functions = `
  SELECT pg_get_functiondef(p.oid) AS statement
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE p.prokind IN ('f', 'p', 'w') AND ${ownSchema} AND ${notOfExtension('pg_proc', 'p.oid')} ORDER BY p.oid`;

const columnValue = `CASE
    WHEN a.attidentity <> '' THEN (
      SELECT format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %I.%I %s)',
        CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, sn.nspname, sc.relname, ${sequenceOptions})
      FROM pg_depend d JOIN pg_sequence s ON s.seqrelid = d.objid JOIN pg_class sc ON sc.oid = s.seqrelid
      JOIN pg_namespace sn ON sn.oid = sc.relnamespace
      WHERE d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = c.oid AND d.refobjsubid = a.attnum
        AND d.deptype = 'i')
    WHEN a.attgenerated = 's' THEN format(' GENERATED ALWAYS AS (%s) STORED', pg_get_expr(v.adbin, v.adrelid))
    WHEN a.attgenerated = 'v' THEN format(' GENERATED ALWAYS AS (%s) VIRTUAL', pg_get_expr(v.adbin, v.adrelid))
    WHEN v.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(v.adbin, v.adrelid)
  END`;

const columnCollation = `(SELECT format(' COLLATE %I.%I', cn.nspname, co.collname) FROM pg_collation co
    JOIN pg_namespace cn ON cn.oid = co.collnamespace JOIN pg_type t ON t.oid = a.atttypid
    WHERE co.oid = a.attcollation AND a.attcollation <> t.typcollation)`;

/** From PostgreSQL 18 on, NOT NULL is a constraint with a name. */
const columnNotNull = `CASE WHEN a.attnotnull THEN coalesce((
    SELECT format(' CONSTRAINT %I NOT NULL', k.conname) FROM pg_constraint k
    WHERE k.conrelid = c.oid AND k.contype = 'n' AND k.conkey = ARRAY[a.attnum]), ' NOT NULL') END`;

const columnList = `(
    SELECT string_agg(format(E'\\n  %I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      ${columnCollation}, ${columnValue}, ${columnNotNull}), ',' ORDER BY a.attnum)
    FROM pg_attribute a LEFT JOIN pg_attrdef v ON v.adrelid = a.attrelid AND v.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)`;

const tables = `
  SELECT format('CREATE %sTABLE %I.%I (%s)%s%s', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END,
    n.nspname, c.relname, ${columnList}, ' PARTITION BY ' || pg_get_partkeydef(c.oid),
    ' WITH (' || ${options('c.reloptions')} || ')') AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND ${ownRelation} ORDER BY c.oid`;

/**
 * Partitions are made as tables; each gets its rows, keys and indexes before it is attached, which then finds those that belong to
 * the keys and indexes of its parent. The default partition comes last: it is searched for rows of every partition attached later.
 */
const partitions = `
  SELECT format('ALTER TABLE %I.%I ATTACH PARTITION %I.%I %s', pn.nspname, p.relname, n.nspname, c.relname,
    pg_get_expr(c.relpartbound, c.oid)) AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits h ON h.inhrelid = c.oid
  JOIN pg_class p ON p.oid = h.inhparent JOIN pg_namespace pn ON pn.oid = p.relnamespace
  WHERE c.relispartition AND c.relkind IN ('r', 'p') AND ${ownRelation}
  ORDER BY pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT', c.oid`;

const storageName =
  "CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END";

/** Settings of single columns that differ from their defaults. */
const columnSettings = `
  SELECT format('ALTER TABLE %I.%I ALTER COLUMN %I SET %s', n.nspname, c.relname, a.attname, x.setting) AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  JOIN pg_type t ON t.oid = a.atttypid
  CROSS JOIN LATERAL (VALUES
    (CASE WHEN a.attstorage <> t.typstorage THEN 'STORAGE ' || ${storageName} END),
    (CASE a.attcompression WHEN 'p' THEN 'COMPRESSION pglz' WHEN 'l' THEN 'COMPRESSION lz4' END),
    (CASE WHEN a.attstattarget >= 0 THEN 'STATISTICS ' || a.attstattarget END),
    (CASE WHEN a.attoptions IS NOT NULL THEN '(' || ${options('a.attoptions')} || ')' END)) AS x (setting)
  WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped AND x.setting IS NOT NULL AND ${ownRelation}
  ORDER BY c.oid, a.attnum`;

const sequenceOwners = `
  SELECT format('ALTER SEQUENCE %I.%I OWNED BY %I.%I.%I', n.nspname, c.relname, tn.nspname, t.relname, a.attname) AS statement
  FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_depend d ON d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.refobjsubid > 0 AND d.deptype = 'a'
  JOIN pg_class t ON t.oid = d.refobjid JOIN pg_namespace tn ON tn.oid = t.relnamespace
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
  WHERE ${ownRelation} ORDER BY c.oid`;

/** Constraints within a table. Constraint triggers come with the triggers, NOT NULL with the columns. */
const constraints = `
  SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) AS statement
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype IN ('p', 'u', 'x', 'c') AND c.relkind IN ('r', 'p') AND ${ownRelation}
  ORDER BY position(k.contype::text IN 'puxc'), k.oid`;

/** Foreign keys. Those of a partitioned table, and those that refer to one, are made for its partitions as well. */
const foreignKeys = `
  SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid)) AS statement
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE k.contype = 'f' AND k.conparentid = 0 AND c.relkind IN ('r', 'p') AND ${ownRelation}
  ORDER BY k.oid`;

const indexes = `
  SELECT pg_get_indexdef(i.indexrelid) AS statement
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'm') AND ${ownRelation}
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
  ORDER BY i.indexrelid`;

/** Options of an index that a constraint makes are not part of the constraint's definition. */
const indexSettings = `
  SELECT x.statement FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_class o ON o.oid = i.indexrelid JOIN pg_namespace ns ON ns.oid = o.relnamespace
  CROSS JOIN LATERAL (VALUES
    (CASE WHEN o.reloptions IS NOT NULL
      THEN format('ALTER INDEX %I.%I SET (%s)', ns.nspname, o.relname, ${options('o.reloptions')}) END),
    (CASE WHEN i.indisclustered
      THEN format('ALTER TABLE %I.%I CLUSTER ON %I', n.nspname, c.relname, o.relname) END),
    (CASE WHEN i.indisreplident
      THEN format('ALTER TABLE %I.%I REPLICA IDENTITY USING INDEX %I', n.nspname, c.relname, o.relname) END)) AS x (statement)
  WHERE x.statement IS NOT NULL AND ${ownRelation} ORDER BY o.oid`;

const replicaIdentities = `
  SELECT format('ALTER TABLE %I.%I REPLICA IDENTITY %s', n.nspname, c.relname,
    CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END) AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relreplident IN ('f', 'n') AND ${ownRelation} ORDER BY c.oid`;

const statistics = `
  SELECT pg_get_statisticsobjdef(x.oid) AS statement
  FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = x.stxnamespace WHERE ${ownSchema} ORDER BY x.oid`;

const views = `
  SELECT format('CREATE %sVIEW %I.%I%s AS %s%s', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END,
    n.nspname, c.relname, ' WITH (' || ${options('c.reloptions')} || ')', rtrim(pg_get_viewdef(c.oid), ';'),
    CASE c.relkind WHEN 'm' THEN ' WITH NO DATA' ELSE '' END) AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('v', 'm') AND ${ownRelation} ORDER BY c.oid`;

const refreshes = `
  SELECT format('REFRESH MATERIALIZED VIEW %I.%I', n.nspname, c.relname) AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'm' AND c.relispopulated AND ${ownRelation} ORDER BY c.oid`;

const triggers = `
  SELECT x.statement FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  CROSS JOIN LATERAL (VALUES
    (pg_get_triggerdef(g.oid)),
    (CASE WHEN g.tgenabled <> 'O' THEN format('ALTER TABLE %I.%I %s TRIGGER %I', n.nspname, c.relname,
      CASE g.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, g.tgname) END)
  ) AS x (statement)
  WHERE NOT g.tgisinternal AND g.tgparentid = 0 AND x.statement IS NOT NULL AND ${ownRelation} ORDER BY g.oid, x.statement`;

/** Kinds of objects to COMMENT ON that pg_identify_object() names in another way. */
const commentKind = `CASE o.type WHEN 'table column' THEN 'column' WHEN 'view column' THEN 'column'
    WHEN 'materialized view column' THEN 'column' WHEN 'table constraint' THEN 'constraint'
    WHEN 'statistics object' THEN 'statistics' ELSE o.type END`;

const comments = `
  SELECT format('COMMENT ON %s %s IS %L', upper(${commentKind}), o.identity, d.description) AS statement
  FROM pg_description d CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) o
  LEFT JOIN pg_class c ON d.classoid = 'pg_catalog.pg_class'::regclass AND c.oid = d.objoid
  WHERE d.objoid >= 16384 AND o.type <> 'extension'
    AND NOT EXISTS (SELECT FROM pg_depend m WHERE m.classid = d.classoid AND m.objid = d.objoid AND m.deptype = 'e')
    AND coalesce(o.schema, '') !~ '^pg_toast'
  ORDER BY d.objoid, d.objsubid`;

/** Queries for the statements before the rows: they make the tables. */
export const queriesBeforeData: readonly string[] = [
  schemas,
  extensions,
  enums,
  domains,
  sequences,
  functions,
  tables,
  columnSettings,
  sequenceOwners,
];

/** Queries for the statements after the rows: faster, or only possible, then. */
export const queriesAfterData: readonly string[] = [
  constraints,
  indexes,
  indexSettings,
  partitions,
  foreignKeys,
  replicaIdentities,
  views,
  statistics,
  triggers,
  refreshes,
  comments,
];

/** Every table with the columns that are stored. A partitioned table has no rows but those of its partitions. */
export const tableQuery = `
  SELECT n.nspname AS schema, c.relname AS name, coalesce((
    SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''), '{}') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND ${ownRelation} ORDER BY c.relpages DESC, c.oid`;

export const sequenceQuery = `
  SELECT n.nspname AS schema, c.relname AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'S' AND ${ownRelation} ORDER BY c.oid`;

/** Names what exists and is not written by the queries above. */
export const unsupportedQuery = `
  SELECT format('%s %s', kind, name) AS object FROM (
    SELECT CASE c.relkind WHEN 'f' THEN 'foreign table' ELSE 'composite type' END AS kind,
      format('%I.%I', n.nspname, c.relname) AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('f', 'c') AND ${ownRelation}
    UNION ALL
    SELECT 'inherited table', format('%I.%I', n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${ownRelation} AND c.relkind = 'r' AND NOT c.relispartition AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid)
    UNION ALL
    SELECT 'table of a type', format('%I.%I', n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.reloftype <> 0 AND ${ownRelation}
    UNION ALL
    SELECT 'table with row security', format('%I.%I', n.nspname, c.relname)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND (c.relrowsecurity OR EXISTS (SELECT FROM pg_policy y WHERE y.polrelid = c.oid)) AND ${ownRelation}
    UNION ALL
    SELECT 'rule', format('%I on %I.%I', r.rulename, n.nspname, c.relname)
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE r.rulename <> '_RETURN' AND ${ownRelation}
    UNION ALL
    SELECT 'NOT NULL constraint that is not valid', format('%I on %I.%I', k.conname, n.nspname, c.relname)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE k.contype = 'n' AND NOT k.convalidated AND ${ownRelation}
    UNION ALL
    SELECT 'type', format('%I.%I', n.nspname, t.typname)
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
    WHERE (t.typtype IN ('r') OR (t.typtype = 'b' AND t.typelem = 0)) AND ${ownSchema} AND ${notOfExtension('pg_type', 't.oid')}
    UNION ALL
    SELECT 'aggregate', format('%I.%I', n.nspname, p.proname)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prokind = 'a' AND ${ownSchema} AND ${notOfExtension('pg_proc', 'p.oid')}
    UNION ALL
    SELECT o.type, o.identity FROM (
      SELECT 'pg_catalog.pg_operator'::regclass AS class, oid FROM pg_operator
      UNION ALL SELECT 'pg_catalog.pg_opclass'::regclass, oid FROM pg_opclass
      UNION ALL SELECT 'pg_catalog.pg_cast'::regclass, oid FROM pg_cast
      UNION ALL SELECT 'pg_catalog.pg_collation'::regclass, oid FROM pg_collation
      UNION ALL SELECT 'pg_catalog.pg_conversion'::regclass, oid FROM pg_conversion
      UNION ALL SELECT 'pg_catalog.pg_ts_config'::regclass, oid FROM pg_ts_config
      UNION ALL SELECT 'pg_catalog.pg_ts_dict'::regclass, oid FROM pg_ts_dict
      UNION ALL SELECT 'pg_catalog.pg_language'::regclass, oid FROM pg_language
      UNION ALL SELECT 'pg_catalog.pg_am'::regclass, oid FROM pg_am
      UNION ALL SELECT 'pg_catalog.pg_event_trigger'::regclass, oid FROM pg_event_trigger
      UNION ALL SELECT 'pg_catalog.pg_publication'::regclass, oid FROM pg_publication
      UNION ALL SELECT 'pg_catalog.pg_foreign_server'::regclass, oid FROM pg_foreign_server
    ) x CROSS JOIN LATERAL pg_identify_object(x.class, x.oid, 0) o
    WHERE x.oid >= 16384
      AND NOT EXISTS (SELECT FROM pg_depend m WHERE m.classid = x.class AND m.objid = x.oid AND m.deptype = 'e')
    UNION ALL
    SELECT 'large object', oid::text FROM pg_largeobject_metadata
  ) AS found ORDER BY 1`;

/** Names objects with privileges of other roles: roles belong to a server, and are not part of a backup. */
export const privilegeQuery = `
  SELECT format('privileges on %s', object) AS object FROM (
    SELECT format('%I.%I', n.nspname, c.relname) AS object
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relacl IS NOT NULL AND ${ownRelation}
    UNION ALL
    SELECT format('%I.%I', n.nspname, p.proname)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.proacl IS NOT NULL AND ${ownSchema} AND ${notOfExtension('pg_proc', 'p.oid')}
    UNION ALL
    SELECT format('schema %I', n.nspname) FROM pg_namespace n WHERE n.nspacl IS NOT NULL AND n.oid >= 16384 AND ${ownSchema}
  ) AS found ORDER BY 1`;
