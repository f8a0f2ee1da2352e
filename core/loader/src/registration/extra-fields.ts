import type { PluginProblem } from '@gantry/contracts';
import { ownFields, type PluginDefinition } from '@gantry/plugin-api';
import { createProblem } from '../problem-kinds';

/** Extra fields name a type and a class with `@Field`s. */
export function checkExtraFields({ extraFields = [] }: PluginDefinition): readonly PluginProblem[] {
  const given: unknown = extraFields;
  const remedy =
    'List extra fields as { type, fields, unique? }: a type as for targetEntity, a class with @Field, and sets of names';
  const invalid = (reason: string) => createProblem('EXTRA_FIELDS_INVALID', reason, remedy);
  if (!Array.isArray(given)) return [invalid('The extra fields are not a list')];
  return given.flatMap((extra: unknown, index) =>
    isExtra(extra) ? [] : [invalid(`The extra fields number ${index + 1} are not valid`)],
  );
}

function isExtra(extra: unknown): boolean {
  if (typeof extra !== 'object' || extra === null) return false;
  const { type, fields, unique = [], ...unknown } = extra as Record<string, unknown>;
  const isTarget = typeof type === 'string' || (typeof type === 'function' && !isClass(type));
  const areSets =
    Array.isArray(unique) && unique.every((set) => Array.isArray(set) && set.every((name) => typeof name === 'string'));
  return isTarget && isClass(fields) && areSets && Object.keys(unknown).length === 0;
}

function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/** Names of extra fields as manifests have them. */
export function extraNames({ extraFields = [] }: PluginDefinition): readonly string[] {
  return extraFields.flatMap(({ type, fields }) => {
    const className = typeof type === 'string' ? type.replace(/^.*\./, '') : type().name;
    const code = className.toLowerCase();
    return fieldsOfClass(fields).map((name) => `${code}.${name}`);
  });
}

/** Own and inherited ones. */
function fieldsOfClass(declaring: object): readonly string[] {
  const parent: unknown = Object.getPrototypeOf(declaring);
  const inherited = typeof parent === 'function' ? fieldsOfClass(parent) : [];
  return [...new Set([...ownFields(declaring).map(({ name }) => name), ...inherited])];
}
