import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ErrorDetail, ImportProblem } from '@gantry/contracts';
import { truncate, unlessAborted, numberText } from '@gantry/core-common';
import { GantryError } from '@gantry/plugin-api';
import {
  type BulkOutcome,
  type BulkTransaction,
  hidesItems,
  type CompiledItemType,
  type FieldDescriptor,
  type ItemTypes,
  type NewValues,
  parseNewItem,
  assertMay,
  typeInScope,
  type Scope,
} from '@gantry/core-content';
import { referenceKeyOf, type ReferenceKey } from '../reference/reference-key';
import { ReferenceResolver } from '../reference/reference-resolver';
import { openSource } from '../source/open-source';
import { defaultImportLineLimit } from '../limits';
import type { SourceRecord } from '../source/source-record';
import { TimeSlice } from '../time-slice';
import { TransferError } from '../transfer-error';
import { inBatches } from './batches';
import { DeferredReferences } from './deferred-references';
import { createDraft, type Draft, type DraftOptions } from './draft';
import type { ImportOptions, ImportOutcome } from './import-options';
import { LineIndex } from './line-index';
import { createMapping, idName, type Mapping } from './mapping';
import { assertIds, matchDrafts, resolveMatch, type Match, type WaitingFields } from './match-drafts';
import { Rematches } from './rematches';
import { linkKeyName, resolveLinks } from './resolve-links';
import { resolveDrafts, type DeferredReference, type ResolveDependencies } from './resolve-drafts';

/**
 * Imports a file into items of one type, in one transaction: either all of it is written or nothing. Every line is checked,
 * also after one that is wrong. However long the file, only a few hundred lines are in memory.
 * @throws TransferError when the file as a whole cannot be imported
 * @throws GantryError UNAVAILABLE when the database is unavailable; the signal's reason when it aborts
 */
export async function importItems(scope: Scope, given: ImportOptions): Promise<ImportOutcome> {
  const type = typeInScope(scope, given.type.descriptor.code);
  const { descriptor, stored = descriptor } = type;
  const options = { ...given, type };
  if (stored.readOnly) {
    throw new TransferError(
      `${descriptor.displayName} is read-only: it is written by the plugin ${descriptor.plugin} alone.`,
      'Import into another type: gantry types list',
    );
  }
  assertMay(scope, 'import', type);
  const match = resolveMatch(descriptor, options.match);
  const { bytes, format, delimiter, maxLineLength = defaultImportLineLimit, keepEmpty = false } = options;
  const opening = openSource(bytes, format, { delimiter, maxLineLength, keepEmpty });
  const source = await unlessAborted(opening, options.signal);
  const { keepIds = false } = options;
  if (keepIds) assertMayGiveIds(scope, type);
  const withId = match?.by === idName || keepIds;
  const mapping = createMapping(
    { type: descriptor, columns: source.columns, withId, creates: match === undefined || keepIds },
    options,
  );
  const outcome = await options.bulk.transaction(
    scope,
    async (transaction) => {
      const run = new ImportRun(scope.policy.types, options, transaction, mapping, match);
      for await (const records of inBatches(source.records, options.signal)) {
        options.signal.throwIfAborted();
        await run.take(records);
        // Lines that are all wrong send no statement: without this, no other request would be served in the meantime.
        await yieldToEventLoop();
      }
      const result = await run.finish();
      options.signal.throwIfAborted();
      if (result.kept) options.onKeep?.();
      return { keep: result.kept, result };
    },
    options.signal,
  );
  if (outcome.kept && outcome.created + outcome.updated >= worthAnalyzing) await options.bulk.analyze(descriptor);
  return outcome;
}

/** Refusals show which ids are in use. @throws GantryError FORBIDDEN */
function assertMayGiveIds(scope: Scope, type: CompiledItemType): void {
  assertMay(scope, 'create', type);
  if (!hidesItems(type.descriptor)) return;
  throw new GantryError(
    'FORBIDDEN',
    `You have no right to give new items their ids: your roles do not show all items of ${type.descriptor.displayName}.`,
  );
}

/** Items that change what PostgreSQL should know of a table. */
const worthAnalyzing = 1000;

class ImportRun {
  private readonly counts = { items: 0, created: 0, updated: 0, unchanged: 0, badItems: 0, problems: 0 };
  private readonly drafting: DraftOptions;
  private readonly dependencies: ResolveDependencies;
  private readonly deferred: DeferredReferences;
  private readonly lines = new LineIndex();
  private readonly slice = new TimeSlice();

  constructor(
    types: ItemTypes,
    private readonly options: ImportOptions,
    private readonly transaction: BulkTransaction,
    private readonly mapping: Mapping,
    private readonly match: Match | undefined,
  ) {
    const { type } = options;
    const keys = keysOf(type, types);
    this.drafting = {
      type: type.descriptor,
      keys,
      isText: options.format === 'csv',
      set: new Set(options.set.keys()),
      ids: options.ids || options.keepIds === true,
      safeCsv: options.safeCsv,
      keepEmpty: options.keepEmpty ?? false,
    };
    const resolver = new ReferenceResolver((sql, values) => transaction.query(sql, values), type.descriptor.code);
    this.dependencies = { type: type.descriptor, types, keys, resolver, ids: this.drafting.ids };
    this.deferred = new DeferredReferences(transaction, type, this.dependencies);
  }

  async take(records: readonly SourceRecord[]): Promise<void> {
    const drafts = await this.draftAll(records);
    const unreadable = records.filter((record) => 'problem' in record);
    const references = await resolveDrafts(drafts, this.dependencies);
    const waiting = [...references, ...(await resolveLinks(drafts, this.dependencies))];
    const sound = drafts.filter((draft) => draft.problems.length === 0);
    if (this.match === undefined) await this.create(drafts, waiting);
    else await this.createOrChange(this.match, sound, waiting);
    const bad = [
      ...unreadable.map(({ line, problem }) => ({ line, problems: [problem] })),
      ...drafts
        .filter(({ problems }) => problems.length > 0)
        .map((draft) => ({ line: draft.line, problems: draft.problems.map((problem) => withValue(problem, draft)) })),
    ];
    for (const { line, problems } of bad.toSorted((left, right) => left.line - right.line)) this.report(line, problems);
    this.counts.items += records.length;
    this.options.onProgress?.(this.counts.items, this.counts.badItems);
  }

  async finish(): Promise<ImportOutcome> {
    for await (const problems of this.deferred.finish()) {
      this.options.signal.throwIfAborted();
      for (const problem of problems) this.report(problem.line, [problem]);
    }
    return { ...this.counts, kept: this.counts.problems === 0 && !this.options.dryRun };
  }

  private async draftAll(records: readonly SourceRecord[]): Promise<readonly Draft[]> {
    const drafts: Draft[] = [];
    for (const record of records) {
      if (this.slice.isOver()) await this.slice.next();
      if ('values' in record) drafts.push(createDraft(record.line, this.mapping(record.values), this.drafting));
    }
    return drafts;
  }

  /** @returns those that are to be matched again */
  private async create(
    drafts: readonly Draft[],
    waiting: readonly DeferredReference[],
    rematches?: Rematches,
  ): Promise<readonly Draft[]> {
    if (this.options.keepIds === true) assertIds(drafts);
    const rows: { readonly draft: Draft; readonly item: NewValues }[] = [];
    const waitingFields = fieldsByDraft(waiting);
    for (const draft of drafts) {
      if (this.slice.isOver()) await this.slice.next();
      draft.problems.push(...draft.problemsOfChange);
      const { problems, ...item } = parseNewItem(this.options.type, draft.payload, waitingFields.get(draft));
      // A field that is not read for another reason is not missing.
      draft.problems.push(...problems.filter(({ path }) => !draft.problems.some((known) => known.path === path)));
      if (draft.problems.length === 0) rows.push({ draft, item });
    }
    const ids = this.options.keepIds === true ? rows.map(({ draft }) => draft.id ?? '') : undefined;
    if (ids !== undefined && !this.options.dryRun) await this.transaction.reserveIds(this.options.type, ids);
    const outcomes = await this.transaction.insert(
      this.options.type,
      rows.map(({ item }) => item),
      ids,
    );
    this.lines.add(
      rows.flatMap(({ draft }, index) => {
        const outcome = outcomes[index];
        return outcome?.status === 'written' ? [{ id: outcome.id, line: draft.line }] : [];
      }),
    );
    const again = new Set(
      rematches?.take(
        rows.map(({ draft }) => draft),
        outcomes,
      ),
    );
    const settled = rows.map(({ draft }) => (again.has(draft) ? undefined : draft));
    const written = this.settle(settled, outcomes, waitingFields);
    this.counts.created += written.length;
    await this.defer(written, waiting, 'create');
    return [...again];
  }

  private async createOrChange(
    match: Match,
    drafts: readonly Draft[],
    waiting: readonly DeferredReference[],
  ): Promise<void> {
    let rest = drafts;
    const rematches = new Rematches(match);
    const options = { ...this.options, waiting: fieldsByDraft(waiting) };
    while (rest.length > 0) {
      const { create, change, unchanged, later } = await matchDrafts(rest, match, this.transaction, options);
      const again = await this.create(create, waiting, rematches);
      const outcomes = await this.transaction.update(this.options.type, change);
      const written = this.settle(
        change.map(({ draft }) => draft),
        outcomes,
        options.waiting,
      );
      this.counts.updated += written.length;
      this.counts.unchanged += unchanged.length;
      await this.defer([...written, ...unchanged], waiting, 'update');
      rest = [...again, ...later];
    }
  }

  /** Puts what was refused into the drafts. @returns those that were written, with their ids */
  private settle(drafts: readonly (Draft | undefined)[], outcomes: readonly BulkOutcome[], waiting: WaitingFields) {
    return drafts.flatMap((draft, index) => {
      const outcome = outcomes[index];
      if (draft === undefined) return [];
      if (outcome?.status === 'written') return [{ draft, id: outcome.id }];
      if (outcome !== undefined) {
        const problems = outcome.problems.map((problem) => withoutReference(problem, waiting.get(draft)));
        draft.problems.push(...problems.map((problem) => this.withLine(problem, outcome)));
      }
      return [];
    });
  }

  private withLine(problem: ErrorDetail, { collision }: Extract<BulkOutcome, { status: 'refused' }>): ErrorDetail {
    if (collision === undefined) return problem;
    const line = this.lines.lineOf(collision.id);
    return {
      ...problem,
      message: `${problem.message}: ${line === undefined ? `the item ${collision.id}` : `line ${line}`}`,
    };
  }

  private async defer(
    written: readonly { readonly draft: Draft; readonly id: string }[],
    waiting: readonly DeferredReference[],
    action: 'create' | 'update',
  ): Promise<void> {
    if (waiting.length === 0) return;
    const ids = new Map(written.map(({ draft, id }) => [draft, id]));
    const own = waiting.flatMap((reference) => {
      const item = ids.get(reference.draft);
      return item === undefined ? [] : [{ ...reference, item }];
    });
    const isNew = action === 'create';
    const isSettable = (field: FieldDescriptor): boolean =>
      isNew ? field.editableOnCreate !== false : field.editableOnUpdate;
    // They refer to items that are new, and so are changes.
    for (const { draft, field } of own.filter((reference) => !isSettable(reference.field))) {
      const message = `${field.name} cannot be set here`;
      this.report(draft.line, [{ path: field.name, code: 'NOT_EDITABLE', message }]);
    }
    await this.deferred.add(
      own.filter(({ field }) => isSettable(field)),
      isNew,
    );
  }

  private report(line: number, problems: readonly Omit<ImportProblem, 'line'>[]): void {
    this.counts.badItems += 1;
    this.counts.problems += problems.length;
    for (const problem of problems) this.options.onProblem({ ...problem, line });
  }
}

/** The conditions of a role have to be met before references to new items of the file are set, too. */
function withoutReference(problem: ErrorDetail, waiting: ReadonlySet<string> | undefined): ErrorDetail {
  if (waiting === undefined || problem.code !== 'FORBIDDEN') return problem;
  const names = [...waiting].join(', ');
  const hint = `${names} refers to a new item of the file, and is set when all of them are there: import that item first`;
  return { ...problem, message: `${problem.message.replace(/\.$/, '')}. ${hint}.` };
}

function fieldsByDraft(waiting: readonly DeferredReference[]): WaitingFields {
  const found = new Map<Draft, Set<string>>();
  for (const { draft, field } of waiting) found.set(draft, (found.get(draft) ?? new Set()).add(field.name));
  return found;
}

/** A refused value is shown with its problem, as it is seldom easy to find in the file. */
function withValue(problem: ErrorDetail, { payload, references }: Draft): Omit<ImportProblem, 'line'> {
  // Of a reference, the payload has an id instead of what is in the file; the message names that.
  const isOfFile = Object.hasOwn(payload, problem.path) && !references.has(problem.path);
  const value = isOfFile ? payload[problem.path] : undefined;
  const text = typeof value === 'string' || typeof value === 'boolean' ? String(value) : numberText(value);
  if (text === undefined || text.trim() === '') return problem;
  return { ...problem, value: truncate(text, maxValueLength) };
}

const maxValueLength = 100;

function keysOf({ descriptor }: CompiledItemType, types: ItemTypes): ReadonlyMap<string, ReferenceKey | undefined> {
  return new Map(
    descriptor.fields.flatMap((field) => {
      const named = (field.links?.targets ?? []).map((one) => [linkKeyName(field, one.target), one.target] as const);
      const all = field.reference === undefined ? named : [[field.name, field.reference.target] as const];
      return all.flatMap(([name, code]) => {
        const target = types.find(code)?.descriptor;
        return target === undefined ? [] : [[name, referenceKeyOf(target, types)] as const];
      });
    }),
  );
}
