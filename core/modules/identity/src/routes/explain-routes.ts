import {
  itemActions,
  type DetailCode,
  type Grant,
  type ItemAction,
  type ItemCondition,
  type ShownGrant,
} from '@gantry/contracts';
import { GantryError } from '@gantry/plugin-api';
import { z } from 'zod';
import {
  isNeverDone,
  isReadOnly,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  type Policy,
  explainGrants,
  neededFields,
  rowFilterOf,
  type IsRefused,
  type PolicyUser,
  type RowFilter,
} from '@gantry/core-content';
import { storedText } from '@gantry/core-common';
import type { Identity } from '../create-identity';
import { type Rights, routesWith, type HostRoute } from '@gantry/core-http';
import type { User } from '../accounts/account-schemas';
import { managesUsers } from './assert-manages-users';
import { shownGrants, showsCondition } from './shown-grants';
import { allowed, explanation, refused, type Explanation, type Refusal } from './explanation';

/** As the composition makes them. */
interface Policies {
  readonly open: Policy;
  of(rights: Rights, user: PolicyUser): Policy;
  prepare(rights: Rights, user: PolicyUser): Promise<void> | undefined;
  readonly isRefused: IsRefused;
}

export interface ExplainServices {
  readonly identity: Pick<Identity, 'users' | 'roles'>;
  /** `open` shows all types. */
  readonly policies: Policies;
  /** Which of the SQL conditions an item meets; undefined when there is no such item. */
  conditionsMet(
    type: ItemTypeDescriptor,
    id: string,
    conditions: readonly string[],
  ): Promise<readonly boolean[] | undefined>;
}

/** About a permission, or about items. */
const question = z
  .object({
    user: storedText(254).describe('Login of the user.'),
    type: storedText(63).exactOptional().describe('Code of an item type; requires `action`.'),
    action: z.enum(itemActions).exactOptional().describe('The action on its items.'),
    field: storedText(63).exactOptional().describe('Name of a field of the type.'),
    item: z
      .string()
      .regex(/^[1-9]\d{0,17}$/, 'must be the id of an item')
      .exactOptional()
      .describe('Id of an item, for grants with conditions.'),
    permission: storedText(100).exactOptional().describe('Name of a permission, in place of type and action.'),
  })
  .transform(({ user, permission, type, action, ...part }, { addIssue }) => {
    const problem = (name: string, code: DetailCode, message: string): void =>
      addIssue({ code: 'custom', path: [name], message, params: { code } });
    if (permission !== undefined) {
      const others = Object.entries({ type, action, ...part }).filter(([, value]) => value !== undefined);
      for (const [name] of others) problem(name, 'UNKNOWN_FIELD', 'is not accepted with permission');
      return { user, permission };
    }
    if (type !== undefined && action !== undefined) return { user, type, action, ...part };
    if (type === undefined) problem('type', 'WRONG_TYPE', 'is required: a text');
    if (action === undefined) problem('action', 'VALUE_INVALID', `must be one of: ${itemActions.join(', ')}`);
    return z.NEVER;
  });

/** Answers why a user may do something or not; for those who manage users, about types, fields and items that they can read. */
export const explainRoutes: readonly HostRoute<ExplainServices>[] = [
  routesWith<ExplainServices>()({
    method: 'GET',
    path: '/api/platform/explain',
    operationId: 'explainRights',
    summary: 'Explain why a user may or may not do something',
    description:
      'The response names the deciding grants. Send `permission`, or `type` and `action` with an optional field or ' +
      'item.',
    access: managesUsers,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    query: question,
    answer: explanation,
    async handler({ query: asked, author: { principal } }, services) {
      const { identity, policies } = services;
      await identity.roles.reload();
      const user = await identity.users.findByLogin(asked.user);
      if (user === undefined) throw new GantryError('NOT_FOUND', `There is no user ${asked.user}.`);
      const data =
        'permission' in asked
          ? explainPermission(services, user, asked.permission)
          : await explainItems(services, policies.of(principal.rights, principal), user, asked);
      return { data: user.isEnabled ? data : disabled(user) };
    },
  }),
];

function disabled({ login }: User): Explanation {
  return refused('USER_DISABLED', `${login} is disabled.`);
}

function explainPermission(
  { identity: { roles } }: ExplainServices,
  { login, roles: names }: User,
  permission: string,
): Explanation {
  const by = names.filter((name) => roles.rightsOf([name]).may(permission)).map((role) => ({ role }));
  if (by.length > 0) return allowed(by, `${login} has the permission ${permission}.`);
  const isDeclared = roles.permissions().some(({ name }) => name === permission);
  return isDeclared
    ? refused('NO_PERMISSION', `No role of ${login} has the permission ${permission}.`)
    : refused('PERMISSION_UNKNOWN', `There is no permission ${permission}.`);
}

interface ItemQuestion {
  readonly type: string;
  readonly action: ItemAction;
  readonly field?: string | undefined;
  readonly item?: string | undefined;
}

/** The subject of a question. */
interface Subject {
  readonly type: ItemTypeDescriptor;
  readonly field: FieldDescriptor | undefined;
}

/** The subject of a question, where the asking user can read it. @returns a sentence where there is none for this user */
async function subjectOf(
  { policies, conditionsMet }: ExplainServices,
  asking: Policy,
  { type: code, field: name, item }: ItemQuestion,
): Promise<Subject | Refusal> {
  const shown = asking.types.findServed(code)?.descriptor;
  const type = policies.open.types.findServed(code)?.descriptor;
  if (shown === undefined || type === undefined) return ['TYPE_UNKNOWN', `There is no item type ${code}.`];
  const isShown = shown.fields.some((candidate) => candidate.name === name);
  const field = isShown ? type.fields.find((candidate) => candidate.name === name) : undefined;
  if (name !== undefined && field === undefined) {
    return ['FIELD_UNKNOWN', `${type.displayName} has no field ${name}.`];
  }
  const [isRead = false] =
    item === undefined ? [true] : ((await conditionsMet(type, item, [shown.rows?.read ?? 'true'])) ?? []);
  return isRead ? { type, field } : ['ITEM_UNKNOWN', `There is no ${type.displayName} ${item}.`];
}

async function explainItems(
  dependencies: ExplainServices,
  asking: Policy,
  user: User,
  asked: ItemQuestion,
): Promise<Explanation> {
  const { policies, identity } = dependencies;
  const { action, field: name, item } = asked;
  const found = await subjectOf(dependencies, asking, asked);
  if (!('type' in found)) {
    const [code, sentence] = found;
    return refused(code, [sentence, ...suspendedGrants(dependencies, asking, user, asked)].join(' '));
  }
  const { type, field } = found;
  const rights = identity.roles.rightsOf(user.roles);
  await policies.prepare(rights, user);
  const refusal = refusalOf(policies.of(rights, user), type, asked);
  if (refusal !== undefined) return refused(refusal[0], `${user.login} may not: ${refusal[1]}.`);
  const subject = [type.displayName, ...(item === undefined ? [] : [item])].join(' ');
  const reason = `${user.login} may ${action} ${subject}${name === undefined ? '' : `, ${name}`}.`;
  if (rights.isAdministrator) return allowed([{ role: 'administrator' }], reason);
  const given = grantsOf(dependencies, user, { type, action, field });
  const shownBy = asking === policies.open ? undefined : asking;
  const problems = given.flatMap((one) => problemsOf(one, shownBy));
  const by = (grants: readonly GivenGrant[]): Explanation['by'] => grants.map((one) => byOf(one, shownBy));
  if (item === undefined) return allowed(by(given), [reason, ...problems].join(' '));
  const met = await meeting(dependencies, type, item, given);
  if (met === undefined) return refused('ITEM_UNKNOWN', `There is no ${type.displayName} ${item}.`);
  const reading = grantsOf(dependencies, user, { type, action: 'read', field: undefined });
  const isRead = (await meeting(dependencies, type, item, reading))?.length !== 0;
  const hidden = await hiddenSource(dependencies, user, { type, field, item });
  if (hidden !== undefined) {
    const why = `the item does not meet the conditions of a role with ${hidden.name}, from which it is computed`;
    return refused('SOURCE_HIDDEN', `${user.login} may not: ${why}.`);
  }
  if (met.length > 0 && isRead) return allowed(by(met), reason);
  const lacking = isRead ? action : 'read';
  const unmet = `${user.login} may not: the item does not meet the conditions of a role with ${lacking}.`;
  return refused('CONDITIONS_NOT_MET', [unmet, ...problems].join(' '));
}

/** A note for administrators about grants of the user on a type whose plugin is not in use. */
function suspendedGrants(
  { identity: { roles }, policies }: ExplainServices,
  asking: Policy,
  user: User,
  { type: code }: ItemQuestion,
): readonly string[] {
  if (asking !== policies.open || asking.types.findServed(code) !== undefined) return [];
  return user.roles.flatMap((role) =>
    roles
      .rightsOf([role])
      .grants.flatMap(({ on }) =>
        typeof on === 'string' || on.type !== code
          ? []
          : [`A grant of the role ${role} is on it: it is suspended while the plugin ${on.plugin} is not in use.`],
      ),
  );
}

/** The field from which this one is computed and which the user does not see on the item. */
async function hiddenSource(
  dependencies: ExplainServices,
  user: User,
  { type, field, item }: Subject & { readonly item: string },
): Promise<FieldDescriptor | undefined> {
  const sources = field === undefined ? [] : neededFields(type, field).filter((needed) => needed !== field);
  for (const source of sources) {
    const showing = grantsOf(dependencies, user, { type, action: 'read', field: source });
    if ((await meeting(dependencies, type, item, showing))?.length === 0) return source;
  }
  return undefined;
}

interface GivenGrant {
  readonly role: string;
  readonly grant: Grant;
  readonly filter: RowFilter;
}

/** @param asking what it hides is no part of the answer; undefined where nothing is hidden */
function byOf({ role, grant }: GivenGrant, asking: Policy | undefined): Explanation['by'][number] {
  const [shown]: readonly (ShownGrant | undefined)[] = asking === undefined ? [grant] : shownGrants([grant], asking);
  if (shown === undefined) return { role };
  const { on, where, hidesConditions } = shown;
  return {
    role,
    on,
    ...(where === undefined ? {} : { where }),
    ...(hidesConditions === true ? { hidesConditions } : {}),
  };
}

function problemsOf(
  { role, grant: { on }, filter: { problems } }: GivenGrant,
  asking: Policy | undefined,
): readonly string[] {
  const code = typeof on === 'string' ? '' : (on.type ?? '');
  const type = asking?.types.find(code)?.descriptor;
  const isShown = (condition: ItemCondition): boolean =>
    asking === undefined || (type !== undefined && showsCondition(type, condition));
  const sentence = `No item meets the conditions of the role ${role}`;
  return problems.map(({ condition, text }) => (isShown(condition) ? `${sentence}: ${text}.` : `${sentence}.`));
}

interface Asked {
  readonly type: ItemTypeDescriptor;
  readonly action: ItemAction;
  readonly field: FieldDescriptor | undefined;
}

function grantsOf(
  { identity: { roles }, policies }: ExplainServices,
  user: User,
  { type, action, field }: Asked,
): readonly GivenGrant[] {
  return user.roles.flatMap((role) =>
    explainGrants(type, roles.rightsOf([role]).grants, action, { field, user }).map((grant) => ({
      role,
      grant,
      filter: rowFilterOf(grant, type, user, policies.isRefused),
    })),
  );
}

/** Those of which the item meets the conditions; undefined when there is no such item. */
async function meeting(
  { conditionsMet }: ExplainServices,
  type: ItemTypeDescriptor,
  item: string,
  given: readonly GivenGrant[],
): Promise<readonly GivenGrant[] | undefined> {
  const conditions = given.map(({ filter: { condition = 'true' } }) => condition);
  const met = await conditionsMet(type, item, conditions);
  return met && given.filter((_one, index) => met[index]);
}

/** Asks the policy that requests of the user are under. */
function refusalOf(
  policy: Policy,
  stored: ItemTypeDescriptor,
  { type, action, field }: ItemQuestion,
): Refusal | undefined {
  const shown = policy.types.find(type)?.descriptor;
  if (shown === undefined) return ['TYPE_HIDDEN', 'no role has read on the type, which is hidden'];
  if (stored.readOnly && action !== 'read' && action !== 'export') {
    return ['TYPE_READ_ONLY', 'the type is written by its plugin alone'];
  }
  if (isNeverDone(action, stored)) {
    return ['TYPE_SINGLETON', 'the type has exactly one item'];
  }
  if (!policy.may(action, shown)) return ['NO_ACTION', `no role has ${action} on the type`];
  if (field === undefined) return undefined;
  const known = shown.fields.find(({ name }) => name === field);
  if (known === undefined) {
    const from = stored.fields.find(({ name }) => name === field)?.computed?.from ?? [];
    const others = from.length === 0 ? '' : `, or those from which it is computed (${from.join(', ')})`;
    const reason = `no role with read on the type has the field ${field} among those that are readable${others}`;
    return ['FIELD_HIDDEN', reason];
  }
  if (known.computed !== undefined && action !== 'read' && action !== 'export') {
    return ['FIELD_COMPUTED', `the field ${field} is computed`];
  }
  return isWritten(known, stored, action)
    ? undefined
    : ['FIELD_NOT_WRITABLE', `no role has the field ${field} among those that are writable`];
}

/** A field that is set on create only is not a matter of roles. */
function isWritten(known: FieldDescriptor, stored: ItemTypeDescriptor, action: ItemAction): boolean {
  if (action === 'create') return known.editableOnCreate !== false;
  const { editableOnUpdate = false } = stored.fields.find(({ name }) => name === known.name) ?? {};
  if (action === 'update') return known.editableOnUpdate || !editableOnUpdate;
  return action !== 'import' || !isReadOnly(known);
}
