import { LosslessNumber } from 'lossless-json';
import {
  type FieldDescriptor,
  type ItemTypeDescriptor,
  hidesItems,
  isLinked,
  type ItemTypes,
} from '@gantry/core-content';
import { numberText } from '@gantry/core-common';
import type { ReferenceInput } from '../reference/reference-input';
import type { ReferenceKey } from '../reference/reference-key';
import type { ReferenceRequest, ReferenceResolver, Resolution } from '../reference/reference-resolver';
import type { Draft } from './draft';

/** References to items of the very type that is imported, which may follow later in the file. */
export interface DeferredReference {
  readonly draft: Draft;
  readonly field: FieldDescriptor;
  readonly inputs: readonly ReferenceInput[];
  readonly context: ReadonlyMap<string, string>;
  /** Instead of inputs: the JSON of a value with links, of which some were not found. */
  readonly document?: unknown;
}

export interface ResolveDependencies {
  readonly type: ItemTypeDescriptor;
  readonly types: ItemTypes;
  readonly keys: ReadonlyMap<string, ReferenceKey | undefined>;
  readonly resolver: ReferenceResolver;
  /** Whether items are named by ids alone. */
  readonly ids: boolean;
}

/**
 * Puts the ids of references into the payloads of a batch, and problems into its drafts.
 * @returns the references that have to wait until all items are there
 */
export async function resolveDrafts(
  drafts: readonly Draft[],
  dependencies: ResolveDependencies,
): Promise<readonly DeferredReference[]> {
  const fields = dependencies.type.fields.filter((field) => field.reference !== undefined);
  // Parts that a key of several parts leaves out are taken from the item itself, whose own references have to be known by then.
  const isLate = (field: FieldDescriptor): boolean => (dependencies.keys.get(field.name)?.parts.length ?? 1) > 1;
  const early = await resolveFields(
    drafts,
    fields.filter((field) => !isLate(field)),
    dependencies,
  );
  const late = await resolveFields(drafts, fields.filter(isLate), dependencies);
  return [...early, ...late];
}

/** The requests for one field of one item. */
export function requestsOf(
  field: FieldDescriptor,
  inputs: readonly ReferenceInput[],
  context: ReadonlyMap<string, string>,
  { types, keys }: Pick<ResolveDependencies, 'types' | 'keys'>,
): readonly ReferenceRequest[] {
  const target = types.find(field.reference?.target ?? '')?.descriptor;
  return inputs.map((input) => ({ field, target, key: keys.get(field.name), input, context }));
}

/** The JSON value of the resolved references of a field. */
export function payloadValue(field: FieldDescriptor, ids: readonly string[]): unknown {
  const numbers = ids.map((id) => new LosslessNumber(id));
  return isLinked(field) ? numbers : numbers[0];
}

interface Wanted {
  readonly draft: Draft;
  readonly field: FieldDescriptor;
  readonly inputs: readonly ReferenceInput[];
  readonly context: ReadonlyMap<string, string>;
  readonly requests: readonly ReferenceRequest[];
}

async function resolveFields(
  drafts: readonly Draft[],
  fields: readonly FieldDescriptor[],
  dependencies: ResolveDependencies,
): Promise<readonly DeferredReference[]> {
  const wanted = drafts.flatMap((draft) => fields.flatMap((field) => wantedOf(draft, field, dependencies)));
  const resolutions = [...(await dependencies.resolver.resolve(wanted.flatMap(({ requests }) => requests)))];
  return wanted.flatMap((entry) => applyResolutions(entry, resolutions.splice(0, entry.requests.length), dependencies));
}

function wantedOf(draft: Draft, field: FieldDescriptor, dependencies: ResolveDependencies): readonly Wanted[] {
  const inputs = draft.references.get(field.name);
  if (inputs === undefined) return [];
  const context = contextOf(draft, dependencies.keys.get(field.name), dependencies.type);
  return [{ draft, field, inputs, context, requests: requestsOf(field, inputs, context, dependencies) }];
}

/** The values of the item in the fields that belong to the key of its target. */
export function contextOf(
  { payload }: Draft,
  key: ReferenceKey | undefined,
  type: ItemTypeDescriptor,
): ReadonlyMap<string, string> {
  const context = new Map<string, string>();
  for (const { field: part } of key?.parts.slice(1) ?? []) {
    const own = type.fields.find(({ name }) => name === part.name);
    if (own === undefined || own.reference?.target !== part.reference?.target) continue;
    const value = Object.hasOwn(payload, own.name) ? payload[own.name] : own.default;
    const text = typeof value === 'string' ? value : numberText(value);
    if (text !== undefined) context.set(part.name, text);
  }
  return context;
}

function applyResolutions(
  { draft, field, inputs, context, requests }: Wanted,
  resolutions: readonly Resolution[],
  { type }: ResolveDependencies,
): readonly DeferredReference[] {
  const problems = resolutions.flatMap((resolution) => ('problem' in resolution ? [resolution.problem] : []));
  const ids = resolutions.flatMap((resolution) => ('id' in resolution ? [resolution.id] : []));
  const mayWait = field.reference?.target === type.code && !field.required;
  const allMissing = problems.every(({ code }) => code === 'REFERENCE_NOT_FOUND');
  const given = inputs.flatMap((input) => ('id' in input ? [input.id] : []));
  // An id that was exported is sent back, whether or not the item is shown.
  if (problems.length > 0 && allMissing && given.length === inputs.length && requests.some(mayBeHidden)) {
    draft.payload[field.name] = payloadValue(field, given);
    draft.problemsOfChange.push(...problems);
    return [];
  }
  if (problems.length > 0 && mayWait && allMissing) return [{ draft, field, inputs, context }];
  draft.problems.push(...problems);
  // A reference that is wrong is reported once, not also as missing; with a problem, the item is never written.
  draft.payload[field.name] = payloadValue(field, problems.length > 0 ? ['1'] : ids);
  return [];
}

export function mayBeHidden({ target }: ReferenceRequest): boolean {
  return target === undefined || hidesItems(target);
}
