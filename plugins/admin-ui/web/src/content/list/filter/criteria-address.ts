import type { Criterion } from '@gantry/contracts';
import type { CriterionEntry } from '../../../api/items';

/**
 * A criterion as an address has it: `name.CONTAINS.spade`, `catalog.code.EQUALS.A`. A group is JSON, as the platform has it:
 * `{"any":[…]}`; so is the criterion that would be read as another one, as of a field whose name looks like an operator.
 */
export function entryText(entry: CriterionEntry): string {
  if (!('field' in entry)) return JSON.stringify(entry);
  const text = `${entry.field}.${entry.operator}.${entry.value}`;
  const [read] = readPlain(text);
  return read?.field === entry.field && read.operator === entry.operator ? text : JSON.stringify(entry);
}

/** Text that cannot be read is no criterion. */
export function readEntry(text: string): readonly CriterionEntry[] {
  if (!text.startsWith('{')) return readPlain(text);
  try {
    return readJson(JSON.parse(text), 0);
  } catch {
    return [];
  }
}

function readPlain(text: string): readonly Criterion[] {
  const [, field = '', operator = '', value = ''] = /^([^.]+(?:\.[^.]+)??)\.([A-Z][A-Z0-9_]*)\.(.*)$/s.exec(text) ?? [];
  return field === '' ? [] : [{ field, operator, value }];
}

/** Groups in groups, as the platform takes them. */
const maxDepth = 3;

/** Of an address that somebody else has made: a group that the platform would refuse is left out as a whole. @throws Error */
function readJson(value: unknown, depth: number): readonly CriterionEntry[] {
  if (typeof value !== 'object' || value === null) throw new Error('A criterion is an object.');
  const members = value as Readonly<Record<string, unknown>>;
  const [holds, ...others] = Object.keys(members);
  if (holds !== 'any' && holds !== 'all') return [readMembers(members)];
  const entries = members[holds];
  if (others.length > 0 || depth >= maxDepth || !Array.isArray(entries) || entries.length === 0) {
    throw new Error(`A group has criteria, and is at most ${maxDepth} deep.`);
  }
  const read = entries.flatMap((entry) => readJson(entry, depth + 1));
  return [holds === 'any' ? { any: read } : { all: read }];
}

function readMembers({ field, operator, value, ...others }: Readonly<Record<string, unknown>>): Criterion {
  if (typeof field === 'string' && typeof operator === 'string' && typeof value === 'string') {
    if (Object.keys(others).length === 0) return { field, operator, value };
  }
  throw new Error('A criterion has a field, an operator and a value.');
}
