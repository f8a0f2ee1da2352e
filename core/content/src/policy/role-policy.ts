import { itemActions, type Grant, type ItemAction } from '@gantry/contracts';
import type { FieldDescriptor, ItemTypeDescriptor, RowRule, RowRules } from '../compile/descriptor';
import type { ItemTypes } from '../compile/item-types';
import type { Policy } from './policy';
import { restrictTypes, type TypeRights } from './restrict-types';
import type { TriedCondition } from './condition-trial';
import {
  conditionsToTry,
  isSignedIn,
  noItem,
  rowFilterOf,
  type IsRefused,
  type PolicyUser,
  type RowFilter,
} from './row-filter';

/**
 * The policy of a user with these grants: what one of them allows is allowed.
 * @param isRefused whether PostgreSQL refuses the value of a condition, which no item meets then
 */
export function createRolePolicy(
  types: ItemTypes,
  grants: readonly Grant[],
  user: PolicyUser,
  isRefused?: IsRefused,
): Policy {
  const filterOf: FilterOf = (grant, type) => rowFilterOf(grant, type, user, isRefused);
  return Object.freeze({
    types: restrictTypes(types, (type) => rightsOn(type, grants, user, filterOf)),
    may: (action: ItemAction, { actions = itemActions }: ItemTypeDescriptor) => actions.includes(action),
    mightShow: (plugin: string, code: string) =>
      types.find(code) === undefined &&
      grants.some(({ on, actions }) => actions.includes('read') && mightConcern(on, plugin, code)),
  });
}

type FilterOf = (grant: Grant, type: ItemTypeDescriptor) => RowFilter;

/** The conditions of grants whose values PostgreSQL has to read. */
export function conditionsOfGrants(
  types: ItemTypes,
  grants: readonly Grant[],
  user: PolicyUser,
): readonly TriedCondition[] {
  const having = grants.filter(({ where }) => where !== undefined);
  if (having.length === 0) return [];
  return types.all.flatMap(({ descriptor }) =>
    having.flatMap((grant) => (concerns(grant.on, descriptor) ? conditionsToTry(grant, descriptor, user) : [])),
  );
}

/** A grant on a type, with the condition of its items; undefined for all. */
interface TypeGrant {
  readonly grant: Grant;
  readonly condition: string | undefined;
}

/**
 * The fields and items of a grant belong to its actions: two grants never combine the actions or items of one with the fields of
 * the other.
 */
function rightsOn(
  type: ItemTypeDescriptor,
  grants: readonly Grant[],
  user: PolicyUser,
  filterOf: FilterOf,
): TypeRights {
  const own = grants
    .filter(({ on }) => concerns(on, type))
    .map((grant): TypeGrant => ({ grant, condition: filterOf(grant, type).condition }));
  const having = (action: ItemAction, field?: FieldDescriptor): readonly TypeGrant[] =>
    own.filter(({ grant }) => allows(grant, action, field) && !isKeptFrom(user, grant, field));
  const shown = anyOf(having('read'));
  const isReadable = (field: FieldDescriptor): boolean =>
    neededFields(type, field).every((needed) => having('read', needed).length > 0);
  return {
    actions: itemActions.filter((action) => having(action).length > 0),
    showsField: isReadable,
    isCreatable: (field) => isReadable(field) && having('create', field).length > 0,
    isUpdatable: (field) => isReadable(field) && having('update', field).length > 0,
    shownOn(field) {
      const conditions = neededFields(type, field).map((needed) => anyOf(having('read', needed)));
      const narrower = new Set(conditions.filter((condition) => condition !== undefined && condition !== shown));
      return narrower.size < 2 ? [...narrower][0] : `(${[...narrower].toSorted(compare).join(' AND ')})`;
    },
    // Ids of users are for users, and no list of fields can name them.
    showsAuthors: isSignedIn(user) && having('read').every(({ grant }) => grant.readableFields === undefined),
    rows: rowRulesOf(shown, having),
  };
}

/** Extra fields become public only by name. */
function isKeptFrom(user: PolicyUser, { readableFields }: Grant, field: FieldDescriptor | undefined): boolean {
  return field?.plugin !== undefined && readableFields === undefined && !isSignedIn(user);
}

/** A value says something of those that it is computed from: it is shown where all of them are. */
export function neededFields(type: ItemTypeDescriptor, field: FieldDescriptor): readonly FieldDescriptor[] {
  const { computed } = field;
  if (computed === undefined) return [field];
  const sources = type.fields.filter(({ name }) => computed.from.includes(name));
  return [field, ...sources.flatMap((source) => neededFields(type, source))];
}

function rowRulesOf(
  read: string | undefined,
  having: (action: ItemAction) => readonly TypeGrant[],
): RowRules | undefined {
  const rules = {
    read,
    export: anyOf(having('export')),
    delete: anyOf(having('delete')),
    create: writeRules(having('create')),
    update: writeRules(having('update')),
  };
  const present = Object.entries(rules).filter(([, rule]) => rule !== undefined);
  return present.length === 0 ? undefined : (Object.fromEntries(present) as RowRules);
}

/** The condition that one of the grants is about the item; undefined where one is about all. */
function anyOf(grants: readonly TypeGrant[]): string | undefined {
  const conditions = new Set(grants.map(({ condition }) => condition));
  if (conditions.has(undefined) || conditions.size === 0) return undefined;
  conditions.delete(noItem);
  return conditions.size === 0 ? noItem : `(${[...conditions].toSorted(compare).join(' OR ')})`;
}

function compare(one = noItem, other = noItem): number {
  return one < other ? -1 : 1;
}

function writeRules(grants: readonly TypeGrant[]): readonly RowRule[] | undefined {
  if (grants.every(({ condition }) => condition === undefined)) return undefined;
  return grants.map(({ grant, condition = 'true' }) => {
    const fields = grant.writableFields ?? grant.readableFields;
    return { condition, ...(fields === undefined ? {} : { fields }) };
  });
}

/** Those of the grants that allow the action, for the field if one is given. */
export function explainGrants(
  type: ItemTypeDescriptor,
  grants: readonly Grant[],
  action: ItemAction,
  { field, user }: { readonly field: FieldDescriptor | undefined; readonly user: PolicyUser },
): readonly Grant[] {
  return grants.filter(
    (grant) => concerns(grant.on, type) && allows(grant, action, field) && !isKeptFrom(user, grant, field),
  );
}

function allows(grant: Grant, action: ItemAction, field: FieldDescriptor | undefined): boolean {
  return grant.actions.includes(action) && (field === undefined || hasField(grant, action, field));
}

/** An import writes what may be created and updated; an export has what is readable. */
function hasField(
  { readableFields, writableFields = readableFields }: Grant,
  action: ItemAction,
  { name }: FieldDescriptor,
): boolean {
  const names = action === 'create' || action === 'update' ? writableFields : readableFields;
  return names === undefined || names.includes(name);
}

/** A type that is not known may be content or records. */
function mightConcern(on: Grant['on'], plugin: string, code: string): boolean {
  return typeof on === 'string' || names(on, plugin, code);
}

function concerns(on: Grant['on'], type: ItemTypeDescriptor): boolean {
  if (on === 'content') return !type.readOnly;
  if (on === 'records') return type.readOnly;
  return names(on, type.plugin, type.code);
}

function names(on: Exclude<Grant['on'], string>, plugin: string, code: string): boolean {
  return on.plugin === plugin && (on.type ?? code) === code;
}
