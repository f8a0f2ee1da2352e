import type { NamedContributions } from '@gantry/contracts';
import { validRange, valid } from 'semver';
import { z } from 'zod';
import { parseRoute } from './route-pattern';
import { boundedList } from './bounded-list';
import { contributionName, memberName, metricName, maxContributions } from './contribution-names';
import { command, homeCard, tablePage } from './route-contributions';
import { uiSchema } from './ui-manifest';

/** The manifest version that this host understands. */
export const manifestVersion = 1;

const maxDependencies = 200;

const pluginId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,39}$/, { error: 'must be 2 to 40 of a-z, 0-9 and -, beginning with a letter' });
const range = z
  .string()
  .max(200, { error: 'must have at most 200 characters' })
  .refine((text) => validRange(text) !== null, { error: 'must be a range of versions such as ^1.0.0' });
const text = z.string().trim().min(1, { error: 'must not be empty' });
const shortText = text.max(200, { error: 'must have at most 200 characters' });
const typeCode = z
  .string()
  .max(63, { error: 'must have at most 63 characters' })
  .regex(/^[a-z][a-z0-9]*$/, { error: 'must be a class name in lower case: a-z and 0-9, beginning with a letter' });
const fieldKind = z
  .string()
  .max(100, { error: 'must have at most 100 characters' })
  .regex(/^[a-z][a-z0-9-]*\.[A-Z][A-Za-z0-9]*$/, {
    error: 'must be the id of the plugin, a point and a name that begins with a capital letter, such as geo.Point',
  });
const extraField = z
  .string()
  .max(130, { error: 'must have at most 130 characters' })
  .regex(/^[a-z][a-z0-9]*\.[A-Za-z][A-Za-z0-9_]*$/, {
    error: 'must be the code of an item type, a point and the name of the field, such as product.title',
  });
const writeHook = z
  .string()
  .max(100, { error: 'must have at most 100 characters' })
  .regex(/^(before|after)Write [a-z][a-z0-9]*$/, {
    error: 'must be beforeWrite or afterWrite, a space and the code of an item type, such as "beforeWrite product"',
  });
const route = z
  .string()
  .max(500, { error: 'must have at most 500 characters' })
  .refine((value) => parseRoute(value) !== undefined, {
    error:
      'must be a method and a path such as "POST /place-order" or "GET /orders/:orderId", or a mount such as "GET /admin/*"',
  });
const settingName = z
  .string()
  .max(100, { error: 'must have at most 100 characters' })
  .regex(/^[A-Z][A-Z0-9_]*$/, { error: 'must be the name of an environment variable: A-Z, 0-9 and _' });
const host = z
  .string()
  .max(253, { error: 'must have at most 253 characters' })
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, {
    error: 'must be a host such as api.example.com, without protocol and port',
  });
const permission = z.strictObject({
  name: z
    .string()
    .max(100, { error: 'must have at most 100 characters' })
    .regex(/^[a-z][a-z0-9-]*\.[a-z][a-zA-Z0-9-]*$/, {
      error: 'must be the id of the plugin, a point and a name, such as reviews.moderate',
    }),
  displayName: text.max(100, { error: 'must have at most 100 characters' }),
  roles: z
    .array(z.enum(['editor', 'reader', 'operator']))
    .max(3)
    .default([]),
});
const dependencies = z
  .record(pluginId, range)
  .refine((value) => Object.keys(value).length <= maxDependencies, {
    error: `must name at most ${maxDependencies} plugins`,
  })
  .default({});

/** The member `gantry` of package.json. */
export const gantrySchema = z.strictObject({
  manifestVersion: z.literal(manifestVersion, { error: `must be ${manifestVersion}` }),
  id: pluginId,
  displayName: text.max(100, { error: 'must have at most 100 characters' }),
  dependsOn: dependencies,
  optionalDependsOn: dependencies,
  contributes: z
    .strictObject({
      itemTypes: distinct(typeCode, 500).default([]),
      fieldKinds: distinct(fieldKind, 100).optional(),
      extraFields: distinct(extraField, 500).optional(),
      taskQueues: distinct(shortText, 100).default([]),
      writeHooks: distinct(writeHook, 500).optional(),
      metrics: distinct(metricName, maxContributions.metrics).optional(),
      schedules: distinct(contributionName, maxContributions.schedules).optional(),
      settings: distinct(memberName, maxContributions.settings).optional(),
      seeds: distinct(contributionName, maxContributions.seeds).optional(),
      routes: distinct(route, 1_000).default([]),
      permissions: distinctNames(permission, 'permission').default([]),
      commands: distinctNames(command, 'command').default([]),
      homeCards: distinctNames(homeCard, 'home card', maxContributions.homeCards).default([]),
      tablePages: distinctNames(tablePage, 'page', maxContributions.tablePages).default([]),
    })
    .prefault({})
    // Reports name only what there is.
    .transform(({ permissions, commands, homeCards, tablePages, itemTypes, taskQueues, routes, ...named }) => ({
      ...{ itemTypes, taskQueues, routes },
      ...namesOf(named),
      ...(permissions.length === 0 ? {} : { permissions }),
      ...(commands.length === 0 ? {} : { commands }),
      ...(homeCards.length === 0 ? {} : { homeCards }),
      ...(tablePages.length === 0 ? {} : { tablePages }),
    })),
  ui: uiSchema.optional(),
  systemScope: shortText.optional(),
  settings: distinct(settingName, 100).optional(),
  network: distinct(host, 100).optional(),
  required: z.boolean().default(false),
});

/** The members of package.json that the host needs in addition to `gantry`. */
export const packageSchema = z.object({
  name: text.max(214, { error: 'must have at most 214 characters' }),
  version: z
    .string()
    .max(256, { error: 'must have at most 256 characters' })
    .refine((value) => valid(value) !== null, { error: 'must be a semantic version such as 1.2.0' }),
});

function namesOf(lists: { readonly [Name in keyof NamedContributions]: NamedContributions[Name] | undefined }) {
  const given = Object.entries(lists).filter(([, names]) => names !== undefined && names.length > 0);
  return Object.fromEntries(given) as NamedContributions;
}

/** A list of at most so many; a longer one is refused before anything looks at its elements. */
function distinct(element: z.ZodType<string>, max: number) {
  return boundedList(element, max).refine((values) => new Set(values).size === values.length, {
    error: 'must not name the same thing twice',
  });
}

/** A list of declarations with different names. */
function distinctNames<T extends { readonly name: string }>(element: z.ZodType<T>, what: string, max = 100) {
  return boundedList(element, max).refine((values) => new Set(values.map(({ name }) => name)).size === values.length, {
    error: `must not declare the same ${what} twice`,
  });
}
