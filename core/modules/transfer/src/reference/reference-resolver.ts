import type { ErrorDetail } from '@gantry/contracts';
import { truncate } from '@gantry/core-common';
import { quoteIdentifier } from '@gantry/core-database';
import {
  type FieldDescriptor,
  type ItemTypeDescriptor,
  convertText,
  comparableText,
  rowsOf,
} from '@gantry/core-content';
import { formatKey } from './key-text';
import type { ReferenceInput } from './reference-input';
import { keyText, type KeyPart, type ReferenceKey } from './reference-key';

/** A reference of one item, to be looked up. */
export interface ReferenceRequest {
  readonly field: FieldDescriptor;
  /** Undefined where a policy hides the type: none of its items is found. */
  readonly target: ItemTypeDescriptor | undefined;
  readonly key: ReferenceKey | undefined;
  readonly input: ReferenceInput;
  /** Values of the referring item in fields that are also part of the key, as stored: text, or the id of a reference. */
  readonly context: ReadonlyMap<string, string>;
}

export type Resolution = { readonly id: string } | { readonly problem: ErrorDetail };

type Query = <R extends object>(sql: string, values?: readonly unknown[]) => Promise<readonly R[]>;

/** An item that has the first part of a key: values of all parts, and the keys of those that are references. */
interface Candidate {
  readonly id: string;
  readonly values: readonly (string | null)[];
  readonly keys: readonly (string | null)[];
}

/** Keys kept for later batches; then all are forgotten, so that memory stays bounded. */
const maxKept = 20_000;

/** Looks up the items that references mean, many at once. */
export class ReferenceResolver {
  private readonly kept = new Map<string, readonly Candidate[]>();
  private readonly keptIds = new Set<string>();

  constructor(
    private readonly query: Query,
    /** Items of this type are created and deleted while it works: found ids are not cached. */
    private readonly changing: string,
  ) {}

  /** One resolution a request, in order. */
  async resolve(requests: readonly ReferenceRequest[]): Promise<readonly Resolution[]> {
    if (this.kept.size + this.keptIds.size > maxKept) this.forget();
    for (const group of byTarget(requests)) await this.look(group);
    const resolutions = requests.map((request) => this.resolution(request));
    this.forgetChanging();
    return resolutions;
  }

  private async look(requests: readonly ReferenceRequest[]): Promise<void> {
    const [first] = requests;
    if (first?.target === undefined) return;
    const { target } = first;
    const ids = requests.flatMap(({ input }) =>
      'id' in input && !this.keptIds.has(`${target.code} ${input.id}`) ? [input.id] : [],
    );
    if (ids.length > 0) await this.lookForIds(target, ids);
    const { key } = first;
    if (key === undefined) return;
    const leads = requests.flatMap(({ input }) => ('id' in input ? [] : (leadOf(key, input.parts[0]) ?? [])));
    const wanted = [...new Set(leads)].filter((lead) => !this.kept.has(keptName(key, lead)));
    if (wanted.length > 0) await this.lookForKeys(key, wanted);
  }

  private async lookForIds(target: ItemTypeDescriptor, ids: readonly string[]): Promise<void> {
    const sql = `SELECT id::text AS id FROM ${rowsOf(target)} t WHERE id = ANY($1::bigint[])`;
    for (const { id } of await this.query<{ id: string }>(sql, [ids])) this.keptIds.add(`${target.code} ${id}`);
  }

  private async lookForKeys(key: ReferenceKey, leads: readonly string[]): Promise<void> {
    const rows = await this.query<Record<string, string | null>>(candidatesSql(key), [leads]);
    for (const row of rows) {
      const candidate = candidateOf(key, row);
      const name = keptName(key, leadOf(key, candidate.keys[0] ?? '') ?? '');
      this.kept.set(name, [...(this.kept.get(name) ?? []), candidate]);
    }
  }

  private resolution({ field, target, key, input, context }: ReferenceRequest): Resolution {
    if (target === undefined) return missing(field, 'an item that does not exist');
    if ('id' in input) {
      if (this.keptIds.has(`${target.code} ${input.id}`)) return input;
      return missing(field, `${target.displayName} ${input.id}, which does not exist`);
    }
    if (key === undefined) return missing(field, `${target.displayName} by a key, but the type has none; give the id`);
    const lead = leadOf(key, input.parts[0]);
    const all = lead === undefined ? [] : (this.kept.get(keptName(key, lead)) ?? []);
    const fitting = all.filter((candidate) => fits(key, candidate, input.parts, context));
    const [only] = fitting;
    if (fitting.length === 1 && only !== undefined) return { id: only.id };
    return fitting.length === 0 ? notFound(field, key, input.parts, context) : ambiguous(field, key, fitting);
  }

  private forget(): void {
    this.kept.clear();
    this.keptIds.clear();
  }

  private forgetChanging(): void {
    for (const name of this.kept.keys()) if (name.startsWith(`${this.changing} `)) this.kept.delete(name);
    for (const name of this.keptIds) if (name.startsWith(`${this.changing} `)) this.keptIds.delete(name);
  }
}

function byTarget(requests: readonly ReferenceRequest[]): Iterable<readonly ReferenceRequest[]> {
  const groups = new Map<string, ReferenceRequest[]>();
  for (const request of requests) {
    const code = request.target?.code ?? '';
    const group = groups.get(code);
    if (group === undefined) groups.set(code, [request]);
    else group.push(request);
  }
  return groups.values();
}

function keptName(key: ReferenceKey, lead: string): string {
  return `${key.target.code} ${lead}`;
}

/** The first part in the form in which it is compared; undefined when no item can have it. */
function leadOf(key: ReferenceKey, text: string): string | undefined {
  return comparable(key.parts[0].field, text);
}

function comparable(field: FieldDescriptor, text: string): string | undefined {
  const converted = convertText(field, comparableText(text, field));
  return converted.ok ? String(converted.value) : undefined;
}

function candidatesSql(key: ReferenceKey): string {
  const columns = key.parts.map(({ field }, index) => `t.${quoteIdentifier(field.column)}::text AS v${index}`);
  const joined = key.parts.flatMap(({ field, reference }, index) =>
    reference === undefined
      ? []
      : [
          {
            column: `k${index}.${quoteIdentifier(reference.field.column)}::text AS k${index}`,
            join: ` LEFT JOIN ${rowsOf(reference.target)} k${index} ON k${index}.id = t.${quoteIdentifier(field.column)}`,
          },
        ],
  );
  const [lead] = key.parts;
  return (
    `SELECT ${['t.id::text AS id', ...columns, ...joined.map(({ column }) => column)].join(', ')}` +
    ` FROM ${rowsOf(key.target)} t${joined.map(({ join }) => join).join('')}` +
    ` WHERE t.${quoteIdentifier(lead.field.column)} = ANY($1::${lead.field.kind.arrayType}) ORDER BY t.id`
  );
}

function candidateOf(key: ReferenceKey, row: Readonly<Record<string, string | null>>): Candidate {
  return {
    id: String(row['id']),
    values: key.parts.map((_part, index) => row[`v${index}`] ?? null),
    keys: key.parts.map((part, index) => {
      const text = row[part.reference === undefined ? `v${index}` : `k${index}`];
      return text == null ? null : keyText(part, text);
    }),
  };
}

function fits(
  key: ReferenceKey,
  candidate: Candidate,
  given: readonly (string | undefined)[],
  context: ReadonlyMap<string, string>,
): boolean {
  return key.parts.every((part, index) => {
    const text = given[index];
    if (index === 0) return true;
    if (text !== undefined) return isSame(part, text, candidate.keys[index] ?? null);
    const expected = context.get(part.field.name);
    const value = candidate.values[index] ?? null;
    return (
      expected === undefined || (value !== null && (expected === value || part.field.kind.isSame(expected, value)))
    );
  });
}

function isSame({ field, reference }: KeyPart, text: string, key: string | null): boolean {
  const keyField = reference?.field ?? field;
  return key !== null && comparable(keyField, text) === comparable(keyField, key);
}

function missing(field: FieldDescriptor, rest: string): Resolution {
  return { problem: { path: field.name, code: 'REFERENCE_NOT_FOUND', message: `${field.name} refers to ${rest}` } };
}

function notFound(
  field: FieldDescriptor,
  key: ReferenceKey,
  given: readonly (string | undefined)[],
  context: ReadonlyMap<string, string>,
): Resolution {
  const named = key.parts.flatMap((part, index) => {
    const text = given[index];
    if (text !== undefined) return [`the ${part.field.name} ${truncate(text)}`];
    return context.has(part.field.name) ? [`the same ${part.field.name}`] : [];
  });
  return missing(field, `${key.target.displayName} with ${named.join(' and ')}, which does not exist`);
}

function ambiguous(field: FieldDescriptor, key: ReferenceKey, candidates: readonly Candidate[]): Resolution {
  const shown = candidates.slice(0, 5).map(({ keys }) =>
    formatKey(
      keys.map((part) => truncate(part ?? '')),
      keys.length,
    ),
  );
  const more = candidates.length > shown.length ? ' and more' : '';
  const [lead] = key.parts;
  return {
    problem: {
      path: field.name,
      code: 'REFERENCE_AMBIGUOUS',
      message: `${field.name} refers to ${key.target.displayName} with a ${lead.field.name} that several have: ${shown.join(', ')}${more}; write it in full`,
    },
  };
}
