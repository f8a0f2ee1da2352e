import type { ItemTypeDescriptor } from '../compile/descriptor';
import type { FunctionRun } from './function-values';

/** JSON texts of the search results of rows. */
export type PresentResults = (type: ItemTypeDescriptor, present: PresentResult, rows: string) => readonly string[];

type PresentResult = Extract<ItemTypeDescriptor['searchResult'], (...values: never[]) => unknown>;

interface SearchedRow {
  readonly id: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Search results that code of a plugin makes of rows. Where it throws or gives no text, the result has the label or sublabel of a type
 * without it (specification, section 2), and a line in the log names the plugin: the other results are answered in any case.
 */
export function createSearchResults({ enter, failures: failed }: FunctionRun): PresentResults {
  return (type, present, json) => {
    const rows = JSON.parse(json) as readonly SearchedRow[];
    const failures: unknown[] = [];
    const results = enter(type.plugin, () => rows.map((row) => resultJson(type, present, row, failures)));
    if (failures.length > 0) {
      const { plugin, code } = type;
      const message = 'searchResult failed: default labels are shown';
      failed.record({ plugin, type: code, name: 'searchResult' }, failures.length, failures[0], message);
    }
    return results;
  };
}

function resultJson(type: ItemTypeDescriptor, present: PresentResult, row: SearchedRow, failures: unknown[]): string {
  const usual = { label: type.className, subLabel: String(row.values['createdAt']) };
  try {
    const given: unknown = present(row);
    if (typeof given !== 'object' || given === null || given instanceof Promise) {
      throw new Error('the function must return { label, subLabel }, not a promise');
    }
    const { label, subLabel } = given as Readonly<Record<string, unknown>>;
    const result = { label: textOf(label) ?? usual.label, subLabel: textOf(subLabel) ?? usual.subLabel };
    if (textOf(label) === undefined) failures.push(new Error('the function returned no label'));
    return JSON.stringify({ id: row.id, ...result });
  } catch (error) {
    failures.push(error);
    return JSON.stringify({ id: row.id, ...usual });
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}
