import { explanationCodes, furtherOperators, itemActions, operators } from '@gantry/contracts';
import { envelope, jsonResponse, type Parameter, type Paths, type Schema } from './document';
import { errorsWith } from './error-responses';
import { body, noContent, operation, text, withBody, lasting } from './identity-parts';

export const roleName: Schema = { ...text, pattern: '^[a-z][a-z0-9-]{0,59}$', examples: ['price-editor'] };

const fieldName: Schema = { ...text, pattern: String.raw`^[A-Za-z_$][\w$]{0,62}$` };
const fieldNames: Schema = { type: 'array', maxItems: 1_000, items: fieldName };
const grantTarget: Schema = {
  description: 'All types that people write, all records that only plugins write, or those of a plugin.',
  oneOf: [
    { enum: ['content', 'records'] },
    {
      type: 'object',
      required: ['plugin'],
      additionalProperties: false,
      properties: {
        plugin: { ...text, pattern: '^[a-z][a-z0-9-]{1,39}$' },
        type: { ...text, pattern: '^[a-z][a-z0-9_]{0,62}$' },
      },
    },
  ],
};
const condition: Schema = {
  type: 'object',
  required: ['field', 'value'],
  additionalProperties: false,
  properties: {
    field: fieldName,
    operator: {
      ...text,
      pattern: '^[A-Z][A-Z0-9_]{0,62}$',
      default: 'EQUALS',
      description: `One of ${[...operators, ...furtherOperators].join(', ')}, or one that the field kind of a plugin brings. The search metadata of the field names those that it has.`,
      examples: [...operators, ...furtherOperators],
    },
    value: { ...text, maxLength: 1_000, pattern: String.raw`^(?!\$)|^\$user\.(id|login)$` },
  },
};

/** Of which one or all must be met; what it holds is as it is outside of groups, at most three levels deep. */
function conditionGroup(name: 'any' | 'all'): Schema {
  const members = { type: 'array', minItems: 1, maxItems: 20, items: { type: 'object' } };
  return { type: 'object', required: [name], additionalProperties: false, properties: { [name]: members } };
}

const conditions: Schema = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: { anyOf: [condition, conditionGroup('any'), conditionGroup('all')] },
};
const grantProperties: Readonly<Record<string, Schema>> = {
  on: grantTarget,
  actions: { type: 'array', minItems: 1, maxItems: itemActions.length, items: { enum: itemActions } },
  readableFields: { ...fieldNames, description: 'All fields unless given. For a grant on one type only.' },
  writableFields: { ...fieldNames, description: 'All readable fields unless given. For a grant on one type only.' },
  where: { ...conditions, description: 'The items that it is about: all conditions are met. For one type only.' },
};
const grant: Schema = {
  type: 'object',
  required: ['on', 'actions'],
  additionalProperties: false,
  properties: grantProperties,
};
const properties = {
  displayName: { ...text, minLength: 1, maxLength: 100, pattern: String.raw`\S` },
  description: { ...text, maxLength: 1_000 },
  grants: { type: 'array', maxItems: 2_000, items: grant },
  permissions: {
    type: 'array',
    maxItems: 500,
    items: { ...text, maxLength: 100, pattern: String.raw`^[a-z][a-z0-9-]*\.[a-z][a-zA-Z0-9.-]*$` },
  },
} satisfies Readonly<Record<string, Schema>>;
const hidesConditions: Schema = {
  const: true,
  description: 'Some conditions are left out: they name fields or values that the caller cannot read.',
};
const shownGrant: Schema = { ...grant, properties: { ...grantProperties, hidesConditions } };
const role: Schema = {
  type: 'object',
  required: ['name', 'displayName', 'description', 'grants', 'permissions', 'isBuiltIn'],
  properties: {
    name: roleName,
    ...properties,
    grants: { ...properties.grants, items: shownGrant },
    isBuiltIn: { type: 'boolean' },
  },
};
const wholeRole: Schema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: roleName, ...properties },
};
const permission: Schema = {
  type: 'object',
  required: ['name', 'displayName'],
  properties: { name: text, displayName: text, roles: { type: 'array', items: text } },
};

const roleNames: Schema = { type: 'array', minItems: 1, maxItems: 20, items: roleName };
const explanation: Schema = {
  type: 'object',
  required: ['allowed', 'code', 'by', 'reason'],
  properties: {
    allowed: { type: 'boolean' },
    code: {
      enum: Object.keys(explanationCodes),
      description: Object.entries(explanationCodes)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}.`)
        .join(' '),
    },
    by: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role'],
        properties: { role: text, on: grantTarget, where: conditions, hidesConditions },
      },
    },
    reason: text,
  },
};
const asked = (name: string, schema: Schema, description: string, required = false): Parameter => ({
  ...{ name, in: 'query', schema, description },
  ...(required ? { required } : {}),
});
const explainParameters: readonly Parameter[] = [
  asked('user', { ...text, maxLength: 254 }, 'Login of the user.', true),
  asked('type', { ...text, maxLength: 63 }, 'Code of an item type; with action.'),
  asked('action', { enum: itemActions }, 'What the user would do to its items.'),
  asked('field', { ...text, maxLength: 63 }, 'One field of the type.'),
  asked('item', { ...text, pattern: String.raw`^[1-9]\d{0,17}$` }, 'Id of one item, where grants have conditions.'),
  asked('permission', { ...text, maxLength: 100 }, 'Instead of type and action.'),
];

/** Roles and what they can allow. */
export function rolePaths(): Paths {
  return {
    ...storedRolePaths(),
    ...rightsPaths(),
  };
}

function storedRolePaths(): Paths {
  return {
    '/api/platform/roles': {
      get: operation('listRoles', 'All roles, built-in ones first', {
        200: jsonResponse('The roles.', envelope({ type: 'array', items: role })),
        ...errorsWith(405),
      }),
      post: {
        ...operation('createRole', 'Create a role', {
          201: jsonResponse('The role.', envelope(role)),
          ...errorsWith(...withBody),
        }),
        description: lasting,
        requestBody: body({ name: roleName, ...properties }, ['name']),
      },
      patch: {
        ...operation('importRoles', 'Create or replace the roles of an exported file, all of them or none', {
          200: jsonResponse('The roles.', envelope({ type: 'array', items: role })),
          ...errorsWith(...withBody),
        }),
        description: lasting,
        requestBody: body({ formatVersion: { const: 1 }, roles: { type: 'array', maxItems: 1_000, items: wholeRole } }),
      },
    },
    '/api/platform/roles/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: roleName, description: 'Name of the role.' }],
      get: operation('readRole', 'A role', { 200: jsonResponse('The role.', envelope(role)), ...errorsWith(404, 405) }),
      put: {
        ...operation('replaceRole', 'Replace what a role allows', {
          200: jsonResponse('The role.', envelope(role)),
          ...errorsWith(404, ...withBody),
        }),
        description: lasting,
        requestBody: body(properties, []),
      },
      delete: operation('deleteRole', 'Delete a role that no user has', {
        ...noContent,
        ...errorsWith(404, ...withBody),
      }),
    },
  };
}

function rightsPaths(): Paths {
  return {
    '/api/platform/view-as': {
      put: {
        ...operation('viewAs', 'View the platform as a user with these roles only', {
          200: jsonResponse('The roles.', envelope({ type: 'object', properties: { roles: roleNames } })),
          ...errorsWith(404, ...withBody),
        }),
        requestBody: body({ roles: roleNames }, ['roles']),
      },
      delete: operation('endViewAs', 'End the view as other roles', { ...noContent, ...errorsWith(...withBody) }),
    },
    '/api/platform/explain': {
      get: {
        ...operation('explainRights', 'Explain why a user may or may not do something', {
          200: jsonResponse('The roles and grants that allow it, or the reason against.', envelope(explanation)),
          ...errorsWith(400, 404, 405),
        }),
        parameters: explainParameters,
      },
    },
    '/api/platform/permissions': {
      get: operation('listPermissions', 'What roles can allow besides items', {
        200: jsonResponse(
          'The permissions of the platform and of its plugins.',
          envelope({ type: 'array', items: permission }),
        ),
        ...errorsWith(405),
      }),
    },
  };
}
