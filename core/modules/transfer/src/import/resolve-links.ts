import type { ErrorDetail } from '@gantry/contracts';
import { type FieldDescriptor, isOf } from '@gantry/core-content';
import { readReferences } from '../reference/reference-input';
import type { ReferenceKey } from '../reference/reference-key';
import type { ReferenceRequest, Resolution } from '../reference/reference-resolver';
import type { Draft } from './draft';
import { contextOf, mayBeHidden, type DeferredReference, type ResolveDependencies } from './resolve-drafts';

/** Under which name the keys of the targets of links are known. */
export function linkKeyName(field: FieldDescriptor, target: string): string {
  return `${field.name} ${target}`;
}

/** A link whose key is of no form that a key of its target can have. */
type UnreadableKey = { readonly problem: ErrorDetail };

/** A request or a problem for each link of a value; undefined for a link that the kind refuses. */
type LinkRequests = readonly (ReferenceRequest | UnreadableKey | undefined)[];

/**
 * Puts ids in the place of the keys of links within the values of a batch, and problems into its drafts.
 * @returns the values that have to wait until all items are there
 */
export async function resolveLinks(
  drafts: readonly Draft[],
  dependencies: ResolveDependencies,
): Promise<readonly DeferredReference[]> {
  const fields = dependencies.type.fields.filter(({ links, kind }) => links !== undefined && kind.links !== undefined);
  const wanted = drafts.flatMap((draft) =>
    fields.flatMap((field) => {
      const value = draft.payload[field.name];
      if (value === undefined || value === null) return [];
      const context = (key: ReferenceKey | undefined): ReadonlyMap<string, string> =>
        contextOf(draft, key, dependencies.type);
      const requests = linkRequests(field, value, context, dependencies);
      return requests.length === 0 ? [] : [{ draft, field, value, requests }];
    }),
  );
  const asked = wanted.flatMap(({ requests }) => requests.filter(isRequest));
  const resolutions = asked.length === 0 ? [] : [...(await dependencies.resolver.resolve(asked))];
  return wanted.flatMap(({ draft, field, value, requests }) => {
    const own = requests.map((request) => (isRequest(request) ? resolutions.shift() : request));
    return apply(draft, { field, value, requests, resolutions: own }, dependencies);
  });
}

export function linkRequests(
  field: FieldDescriptor,
  value: unknown,
  contextFor: (key: ReferenceKey | undefined) => ReadonlyMap<string, string>,
  { types, keys, ids }: ResolveDependencies,
): LinkRequests {
  const requests: (ReferenceRequest | UnreadableKey | undefined)[] = [];
  field.kind.links?.map(value, (link) => {
    const target = field.links?.targets.find((one) => isOf(one, link.type));
    const isKey = link.key !== undefined;
    if (target === undefined || (isKey && ids)) {
      requests.push(undefined);
      return link;
    }
    const key = ids ? undefined : keys.get(linkKeyName(field, target.target));
    const [input] = readReferences(link.key ?? { id: link.id ?? null }, { isList: false, key }) ?? [];
    if (input !== undefined) {
      requests.push({ field, target: types.find(target.target)?.descriptor, key, input, context: contextFor(key) });
    } else {
      requests.push(isKey ? unreadableKey(field, link.type, key) : undefined);
    }
    return link;
  });
  return requests;
}

function unreadableKey({ name }: FieldDescriptor, type: string, key: ReferenceKey | undefined): UnreadableKey {
  const how = key === undefined ? 'its id' : `its ${key.parts[0].field.name} as key, or by its id`;
  const message = `${name} must name each item of type ${type} that it links to by ${how}`;
  return { problem: { path: name, code: 'WRONG_TYPE', message } };
}

export function isRequest(request: LinkRequests[number]): request is ReferenceRequest {
  return request !== undefined && 'input' in request;
}

/** The value with the ids that were found. */
export function withFoundIds(
  field: FieldDescriptor,
  value: unknown,
  resolutions: readonly (Resolution | undefined)[],
): unknown {
  let index = -1;
  return field.kind.links?.map(value, (link) => {
    index += 1;
    const found = resolutions[index];
    return found !== undefined && 'id' in found ? { type: link.type, id: found.id } : link;
  });
}

interface ResolvedValue {
  readonly field: FieldDescriptor;
  readonly value: unknown;
  readonly requests: LinkRequests;
  readonly resolutions: readonly (Resolution | undefined)[];
}

function apply(
  draft: Draft,
  { field, value, requests, resolutions }: ResolvedValue,
  { type, keys }: ResolveDependencies,
): readonly DeferredReference[] {
  const document = withFoundIds(field, value, resolutions);
  draft.payload[field.name] = document;
  const missing = requests.flatMap((request, index) => problemOf(request, resolutions[index]));
  if (missing.length === 0) return [];
  const mayWait = missing.every(
    ({ request, problem }) => request?.target?.code === type.code && problem.code === 'REFERENCE_NOT_FOUND',
  );
  if (mayWait && !field.required) {
    const context = contextOf(draft, keys.get(linkKeyName(field, type.code)), type);
    Reflect.deleteProperty(draft.payload, field.name);
    return [{ draft, field, inputs: [], context, document }];
  }
  // A link that is wrong is reported once, not also as one without id; with a problem, the item is never written.
  const isKey = (request: LinkRequests[number]): boolean => !isRequest(request) || 'parts' in request.input;
  const complete = resolutions.map((one, index) =>
    one !== undefined && 'problem' in one && isKey(requests[index]) ? { id: '1' } : one,
  );
  draft.payload[field.name] = withFoundIds(field, value, complete);
  for (const { request, problem } of missing) {
    // An id that was exported is sent back, whether or not the item is shown.
    const isSentBack = request !== undefined && 'id' in request.input && mayBeHidden(request);
    (isSentBack ? draft.problemsOfChange : draft.problems).push(problem);
  }
  return [];
}

/** @returns what is wrong with a link, and the request for its target, if its key can be read */
function problemOf(
  request: LinkRequests[number],
  resolution: Resolution | undefined,
): readonly { readonly request: ReferenceRequest | undefined; readonly problem: ErrorDetail }[] {
  if (resolution === undefined || !('problem' in resolution)) return [];
  return [{ request: isRequest(request) ? request : undefined, problem: resolution.problem }];
}
