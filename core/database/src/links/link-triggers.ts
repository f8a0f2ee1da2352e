import { identifier, literal, quoteIdentifier } from '../identifiers';
import { migratingSetting } from '../search/search-tables';
import type { ItemLinksSpec, LinkColumn, TableSpec } from '../table-spec';

/**
 * SQL of the links within values, such as those of a rich text. A trigger of the item's table writes them to a table with foreign keys, in
 * the statement that writes the value, whatever path that took. Statements of this file qualify every name, because triggers run with the
 * search path of the writer.
 */

/** Name of the trigger that fills a table of links, and of its function. */
export function linksTrigger(table: string): string {
  return identifier('gantry_links', table);
}

/** The source of the function; a change of it is applied at the next start. */
export function linksSource(table: string, { column, ofNew, ofOld, targets }: ItemLinksSpec): string {
  const links = `public.${quoteIdentifier(table)}`;
  return `
DECLARE
  found jsonb;
BEGIN
  IF coalesce(current_setting('${migratingSetting}', true), '') <> '' AND NOT to_jsonb(NEW) ? ${literal(column)} THEN
    RETURN NULL;
  END IF;
  found := ${ofNew};
  IF TG_OP = 'UPDATE' THEN
    IF found IS NOT DISTINCT FROM ${ofOld} THEN RETURN NULL; END IF;
    DELETE FROM ${links} WHERE item_id = NEW.id;
  END IF;
  IF found IS NULL OR jsonb_typeof(found) <> 'array' THEN RETURN NULL; END IF;
  INSERT INTO ${links} (${columnsOf(targets)})
  SELECT ${valuesOf(targets, 'NEW.id', 'l')} FROM jsonb_array_elements(found) WITH ORDINALITY AS l (link, n)
  WHERE l.link ->> 'type' IN (${codesOf(targets)});
  RETURN NULL;
END
`;
}

/** Creates the trigger, or replaces that of an earlier rule, and writes the links of the values that are there. */
export function createLinksTrigger({ name: table, renamedFrom = [] }: TableSpec, spec: ItemLinksSpec): string {
  const { itemTable, ofRow, targets } = spec;
  const name = linksTrigger(table);
  const items = `public.${quoteIdentifier(itemTable)}`;
  const call = `public.${quoteIdentifier(name)}()`;
  const columns = columnsOf(targets);
  const exists = targets.map(
    (target) =>
      `l.link ->> 'type' IN (${codesOf([target])}) AND EXISTS (SELECT FROM public.${quoteIdentifier(target.table)} x WHERE x.id = ${idOf('l')})`,
  );
  return [
    // With the rights of the owner, so that a role that may write to the items needs none on the links.
    `CREATE OR REPLACE FUNCTION ${call} RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER` +
      ` SET search_path = pg_catalog, pg_temp AS $gantry$${linksSource(table, spec)}$gantry$`,
    ...renamedFrom.flatMap((earlier) => [
      `DROP TRIGGER IF EXISTS ${quoteIdentifier(linksTrigger(earlier))} ON ${items}`,
      dropLinksFunction(earlier),
    ]),
    `CREATE OR REPLACE TRIGGER ${quoteIdentifier(name)} AFTER INSERT OR UPDATE ON ${items} FOR EACH ROW EXECUTE FUNCTION ${call}`,
    `DELETE FROM public.${quoteIdentifier(table)}`,
    // Items that an older rule did not protect may be gone.
    `INSERT INTO public.${quoteIdentifier(table)} (${columns}) SELECT ${valuesOf(targets, 'i.id', 'l')} FROM ${items} i` +
      ` CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(${ofRow}) = 'array' THEN ${ofRow} END) WITH ORDINALITY AS l (link, n) WHERE ${exists.map((one) => `(${one})`).join(' OR ')}`,
  ].join(';\n');
}

/** Of a table of links that has no trigger any more. */
export function dropLinksFunction(table: string): string {
  return `DROP FUNCTION IF EXISTS public.${quoteIdentifier(linksTrigger(table))}()`;
}

function columnsOf(targets: readonly LinkColumn[]): string {
  return ['item_id', 'position', ...targets.map(({ column }) => quoteIdentifier(column))].join(', ');
}

function valuesOf(targets: readonly LinkColumn[], item: string, link: string): string {
  const ids = targets.map(
    (target) => `CASE WHEN ${link}.link ->> 'type' IN (${codesOf([target])}) THEN ${idOf(link)} END`,
  );
  return [item, `${link}.n`, ...ids].join(', ');
}

function codesOf(targets: readonly LinkColumn[]): string {
  return targets.flatMap(({ codes }) => codes.map(literal)).join(', ');
}

function idOf(link: string): string {
  return `(${link}.link ->> 'id')::bigint`;
}
