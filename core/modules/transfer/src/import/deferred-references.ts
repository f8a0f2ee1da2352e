import type { ImportProblem } from '@gantry/contracts';
import {
  type StoredValues,
  parsePayload,
  type ParsedPayload,
  type CompiledItemType,
  type FieldDescriptor,
  type BulkTransaction,
  selfReferences,
} from '@gantry/core-content';
import { exactJson, parseWrittenJson } from '@gantry/core-common';
import type { ReferenceInput } from '../reference/reference-input';
import type { ReferenceRequest, Resolution } from '../reference/reference-resolver';
import { isRequest, linkRequests, withFoundIds } from './resolve-links';
import { payloadValue, requestsOf, type DeferredReference, type ResolveDependencies } from './resolve-drafts';

interface DeferredRow {
  readonly n: number;
  readonly line: number;
  readonly item: string;
  /** Whether this import has created the item. */
  readonly isNew: boolean;
  readonly field: string;
  /** JSON as text: `jsonb` refuses what no key can be, such as U+0000, before it can be reported as missing. */
  readonly inputs: string;
  readonly context: string;
  /** JSON of a value with links; null for references. */
  readonly document: string | null;
}

const batchSize = 500;

/**
 * References to items further down in the file. They wait in a table of the transaction, so that a file of any length
 * takes no memory, and are set when all its items are there.
 */
export class DeferredReferences {
  private count = 0;

  constructor(
    private readonly transaction: BulkTransaction,
    private readonly type: CompiledItemType,
    private readonly dependencies: ResolveDependencies,
  ) {}

  /** @param isNew whether this import has created the items */
  async add(references: readonly (DeferredReference & { readonly item: string })[], isNew: boolean): Promise<void> {
    if (references.length === 0) return;
    if (this.count === 0) await this.transaction.query(createTable);
    this.count += references.length;
    await this.transaction.query(insertRows, [
      references.map(({ draft }) => draft.line),
      references.map(({ item }) => item),
      references.map(() => isNew),
      references.map(({ field }) => field.name),
      references.map(({ inputs }) => JSON.stringify(inputs)),
      references.map(({ context }) => JSON.stringify(Object.fromEntries(context))),
      references.map(({ document }) => (document === undefined ? null : exactJson(document))),
    ]);
  }

  /** Sets them all. @returns problems as they are found */
  async *finish(): AsyncGenerator<readonly ImportProblem[], void, undefined> {
    if (this.count === 0) return;
    for (let after = 0; ;) {
      const rows = await this.transaction.query<DeferredRow>(selectRows, [after, batchSize]);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield await this.set(rows);
      after = last.n;
    }
  }

  private async set(rows: readonly DeferredRow[]): Promise<readonly ImportProblem[]> {
    const wanted = rows.map((row) => ({ row, requests: this.requests(row) }));
    const resolutions = [...(await this.dependencies.resolver.resolve(wanted.flatMap(({ requests }) => requests)))];
    const problems: ImportProblem[] = [];
    const changes: { readonly row: DeferredRow; readonly values: StoredValues }[] = [];
    for (const { row, requests } of wanted) {
      const own = resolutions.splice(0, requests.length);
      const missing = own.flatMap((resolution) => ('problem' in resolution ? [resolution.problem] : []));
      const read = missing.length > 0 ? { problems: missing } : this.read(row, own);
      problems.push(...read.problems.map((problem) => ({ ...problem, line: row.line })));
      if (read.problems.length === 0 && 'values' in read) changes.push({ row, values: read.values });
    }
    const updates = changes.map(({ row: { item: id, isNew }, values }) => ({ id, values, isNew }));
    const outcomes = await this.transaction.update(this.type, updates);
    const refused = outcomes.flatMap((outcome, index) => {
      const line = changes[index]?.row.line ?? 0;
      return outcome.status === 'refused' ? outcome.problems.map((problem) => ({ ...problem, line })) : [];
    });
    return [...problems, ...refused];
  }

  private requests(row: DeferredRow): readonly ReferenceRequest[] {
    const field = this.fieldOf(row);
    if (field === undefined) return [];
    const context = new Map(Object.entries(JSON.parse(row.context) as Readonly<Record<string, string>>));
    if (row.document === null) return requestsOf(field, readInputs(row.inputs), context, this.dependencies);
    return linkRequests(field, parseWrittenJson(row.document), () => context, this.dependencies).filter(isRequest);
  }

  private fieldOf({ field: name }: DeferredRow): FieldDescriptor | undefined {
    return this.dependencies.type.fields.find((candidate) => candidate.name === name);
  }

  /** The ids as the value of the field. */
  private read(row: DeferredRow, found: readonly Resolution[]): Pick<ParsedPayload, 'values' | 'problems'> {
    const { type } = this.dependencies;
    const { item, document } = row;
    const field = this.fieldOf(row);
    const ids = found.flatMap((resolution) => ('id' in resolution ? [resolution.id] : []));
    const value = (of: FieldDescriptor): unknown =>
      document === null ? payloadValue(of, ids) : withFoundIds(of, parseWrittenJson(document), found);
    const payload = field === undefined ? {} : { [field.name]: value(field) };
    const { values, problems } = parsePayload(type, payload, 'update');
    return { values, problems: [...problems, ...selfReferences(type, item, values)] };
  }
}

/** JSON knows no undefined: a part of a key that is left out comes back as null. */
function readInputs(text: string): readonly ReferenceInput[] {
  const inputs = JSON.parse(text) as readonly (
    | { readonly id: string }
    | { readonly parts: readonly [string, ...(string | null)[]] }
  )[];
  return inputs.map((input) => {
    if ('id' in input) return input;
    const [lead, ...rest] = input.parts;
    return { parts: [lead, ...rest.map((part) => part ?? undefined)] };
  });
}

const createTable =
  'CREATE TEMPORARY TABLE gantry_deferred (n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line integer, item text,' +
  ' is_new boolean, field text, inputs text, context text, document text) ON COMMIT DROP';

const insertRows =
  'INSERT INTO gantry_deferred (line, item, is_new, field, inputs, context, document)' +
  ' SELECT line, item, is_new, field, inputs, context, document' +
  ' FROM unnest($1::int[], $2::text[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::text[])' +
  ' AS u(line, item, is_new, field, inputs, context, document)';

const selectRows =
  'SELECT n, line, item, is_new AS "isNew", field, inputs, context, document FROM gantry_deferred WHERE n > $1::int ORDER BY n LIMIT $2::int';
