import { furtherOperators, itemActions, operators, userVariables, type GrantCondition } from '@gantry/contracts';
import type { Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { lineOfText, storedText, expectation } from '@gantry/core-common';
import { permissionName } from '@gantry/core-http/ports';
import { roleName } from './role-name';
import type { NewRole } from './roles';

const pluginId = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'must be the id of a plugin');
const typeCode = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be the code of an item type');
const fieldName = z.string().regex(/^[A-Za-z_$][\w$-]{0,103}$/, 'must be the name of a field');
// Field kinds of plugins bring operators, also of plugins that are not in use now.
const operatorName = z.string().regex(/^[A-Z][A-Z0-9_]{0,62}$/, 'must be the name of an operator, such as EQUALS');
const fieldNames = z.array(fieldName).max(1_000);
const conditionValue = storedText(1_000).refine(
  (value) => !value.startsWith('$') || userVariables.some((variable) => variable === value),
  {
    error: `is not a variable; use ${userVariables.join(' and ')}`,
  },
);
export const itemCondition = z.strictObject({
  field: fieldName,
  operator: operatorName
    .default('EQUALS')
    .describe(
      `One of ${[...operators, ...furtherOperators].join(', ')}, or an operator that the field kind of a plugin provides. The search metadata of the field names its operators.`,
    ),
  value: conditionValue.meta({ pattern: String.raw`^(?!\$)|^\$user\.(id|login)$` }),
});

/** Groups in groups. */
const maxGroupDepth = 3;
export const maxConditions = 20;

export const conditionMeaning =
  'A condition on items, or a group of conditions of which one or all must be met; at most three levels deep.';
const { $schema: _version, ...conditionJson } = z.toJSONSchema(itemCondition, { io: 'input' });
const groupJson = (name: string) => {
  const members = { type: 'array', minItems: 1, maxItems: maxConditions, items: { $ref: '#/$defs/NewGrantCondition' } };
  return { type: 'object', required: [name], additionalProperties: false, properties: { [name]: members } };
};
/** Conditions, read by {@link conditionList} with better messages than a union. */
const anyCondition = z.unknown().meta({
  id: 'NewGrantCondition',
  description: conditionMeaning,
  anyOf: [conditionJson, groupJson('any'), groupJson('all')],
});

/** Conditions, or groups of them. */
function conditionList(depth: number): z.ZodType<readonly GrantCondition[]> {
  return z
    .array(
      anyCondition.transform((value, context): GrantCondition => {
        const schema = isGroup(value) ? groupSchema(depth + 1) : itemCondition;
        const result = schema.safeParse(value, { error: expectation });
        if (result.success) return result.data;
        for (const { message, path } of result.error.issues) {
          context.addIssue({ code: 'custom', message, path: [...path] });
        }
        return z.NEVER;
      }),
    )
    .min(1)
    .max(maxConditions);
}

function groupSchema(depth: number): z.ZodType<GrantCondition> {
  if (depth > maxGroupDepth) {
    return z.custom<GrantCondition>(() => false, { error: `must be at most ${maxGroupDepth} groups deep` });
  }
  const members = conditionList(depth);
  return z.union([z.strictObject({ any: members }), z.strictObject({ all: members })], {
    error: 'must be a group { "any": [ … ] } or { "all": [ … ] } of conditions that can be read',
  });
}

function isGroup(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('any' in value || 'all' in value);
}

/** Members of a grant. */
export const grantShape = {
  on: z
    .union([z.enum(['content', 'records']), z.strictObject({ plugin: pluginId, type: typeCode.exactOptional() })], {
      error: 'must be "content", "records" or { "plugin": "<id>", "type": "<code>" }',
    })
    .describe(
      '`content`: all types that people write. `records`: all types that only plugins write. Otherwise all types of a plugin, or one.',
    ),
  actions: z.array(z.enum(itemActions)).min(1).max(itemActions.length),
  readableFields: fieldNames.exactOptional().describe('All fields unless given. Only for a grant on one type.'),
  writableFields: fieldNames
    .exactOptional()
    .describe('All readable fields unless given. Only for a grant on one type.'),
  where: conditionList(0)
    .exactOptional()
    .describe('Conditions on the items; all must be met. Only for a grant on one type.'),
};

const grant = z
  .strictObject(grantShape)
  .refine(
    ({ on, readableFields, writableFields, where }) =>
      isOneType(on) || (readableFields ?? writableFields ?? where) === undefined,
    {
      error: 'lists of fields and conditions are for a grant on one type only',
      path: ['on'],
    },
  )
  .meta({
    id: 'NewGrant',
    description: 'A grant of a role on items. Lists of fields and conditions are only for a grant on one type.',
  });

function isOneType(on: unknown): boolean {
  return typeof on === 'object' && on !== null && 'type' in on && on.type !== undefined;
}

/** A role as clients and files give it. */
export const roleInput = z
  .strictObject({
    name: roleName,
    displayName: lineOfText('displayName', 100)
      .meta({ minLength: 1, maxLength: 100, pattern: String.raw`\S` })
      .optional(),
    description: storedText(1_000).trim().default(''),
    grants: z.array(grant).max(2_000).default([]),
    permissions: z.array(permissionName).max(500).default([]),
  })
  .meta({ id: 'NewRole', description: 'A role to be stored.' });

/** A role as it is stored, of what {@link roleInput} has read. */
export function newRoleOf(role: Immutable<z.output<typeof roleInput>>): NewRole {
  return { ...role, displayName: role.displayName ?? role.name };
}
