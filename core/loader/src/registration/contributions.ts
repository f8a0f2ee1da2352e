import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { namedContributions, type Contributions, type NamedContribution, type PluginProblem } from '@gantry/contracts';
import {
  BaseItem,
  isFieldKind,
  itemTypeOptions,
  type PluginDefinition,
  type WriteHookDefinition,
} from '@gantry/plugin-api';
import { extraNames } from './extra-fields';
import type { CollectingRouter } from './plugin-router';
import { createProblem } from '../problem-kinds';
import type { CompiledSettings } from '../record/registered-plugin';

/** The contributions of a plugin's code, in the words of the manifest. */
export function contributionsOf(
  definition: PluginDefinition,
  router: Pick<CollectingRouter, 'routes' | 'mounts'>,
  settings?: CompiledSettings,
): Contributions {
  return {
    itemTypes: (definition.itemTypes ?? []).map((type) => type.name.toLowerCase()),
    taskQueues: definition.service ? [definition.service.taskQueue] : [],
    ...namesOf(definition, settings),
    routes: [
      ...router.routes.map(({ method, path }) => `${method} ${path}`),
      ...router.mounts.map(({ prefix }) => `GET ${prefix}/*`),
    ],
  };
}

const namedKinds = Object.keys(namedContributions) as readonly NamedContribution[];

/** Reports name only what there is. */
function namesOf(definition: PluginDefinition, settings?: CompiledSettings): Pick<Contributions, NamedContribution> {
  const { id, fieldKinds = [], writeHooks = [] } = definition;
  const registered: Readonly<Record<NamedContribution, readonly string[]>> = {
    extraFields: extraNames(definition),
    fieldKinds: fieldKinds.map(({ name }) => `${id}.${name}`),
    writeHooks: writeHooks.flatMap(hookNames),
    metrics: namesIn(definition.metrics),
    schedules: namesIn(definition.schedules),
    seeds: namesIn(definition.seeds),
    settings: Object.keys(settings?.properties ?? {}),
  };
  return Object.fromEntries(Object.entries(registered).filter(([, list]) => list.length > 0));
}

function namesIn(declared: readonly { readonly name: string }[] = []): readonly string[] {
  return declared.map(({ name }) => name);
}

function hookNames({ types, beforeWrite, afterWrite }: WriteHookDefinition): readonly string[] {
  return types.flatMap((type) => [
    ...(beforeWrite === undefined ? [] : [`beforeWrite ${type}`]),
    ...(afterWrite === undefined ? [] : [`afterWrite ${type}`]),
  ]);
}

/** Names of each kind of difference that a message shows. */
const maxShown = 10;

/** The differences between what the manifest says and what the code does, in one problem. */
export function compareContributions(declared: Contributions, registered: Contributions): readonly PluginProblem[] {
  const found = [
    compare('item type', declared.itemTypes, registered.itemTypes),
    compare('task queue', declared.taskQueues, registered.taskQueues),
    ...namedKinds.map((kind) => compare(namedContributions[kind].one, declared[kind] ?? [], registered[kind] ?? [])),
    compare('route', declared.routes, registered.routes),
  ];
  const sentences = [
    ['gantry.contributes of package.json does not name', found.flatMap(({ missing }) => missing)],
    ['gantry.contributes of package.json names, and the code does not register,', found.flatMap(({ extra }) => extra)],
    ['The code registers twice', found.flatMap(({ repeated }) => repeated)],
  ] as const;
  const reasons = sentences.filter(([, names]) => names.length > 0).map(([text, names]) => `${text} ${listOf(names)}`);
  if (reasons.length === 0) return [];
  const remedy = 'Make gantry.contributes in package.json equal to what the code registers';
  return [createProblem('CONTRIBUTION_MISMATCH', reasons.join('. '), remedy)];
}

function listOf(names: readonly string[]): string {
  const more = names.length - maxShown;
  return `${names.slice(0, maxShown).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A route demands only what the manifest declares: what it does not, administrators could not grant. */
export function checkPermissions(
  { permissions = [] }: Contributions,
  { routes }: Pick<CollectingRouter, 'routes'>,
): readonly PluginProblem[] {
  const declared = new Set(permissions.map(({ name }) => name));
  return routes.flatMap(({ method, path, options: { access } }) => {
    if (typeof access !== 'object' || declared.has(access.permission)) return [];
    return [
      createProblem(
        'PERMISSION_UNKNOWN',
        `${method} ${path} demands the permission "${access.permission}", which package.json does not declare`,
        'Declare it in gantry.contributes.permissions',
      ),
    ];
  });
}

/** Item types must be classes of this process' own base, declared with `@ItemType`. */
export function checkItemTypes(definition: PluginDefinition): readonly PluginProblem[] {
  const types: readonly unknown[] = definition.itemTypes ?? [];
  const invalid = types.flatMap((type, index) => {
    const name = typeof type === 'function' && type.name !== '' ? type.name : `number ${index + 1}`;
    const problem = (reason: string, remedy: string) => [
      createProblem('ITEM_TYPE_INVALID', `The item type ${name} ${reason}`, remedy),
    ];
    if (typeof type !== 'function') return problem('is not a class', 'List classes in itemTypes');
    if (!Object.prototype.isPrototypeOf.call(BaseItem, type)) {
      return problem(
        "does not extend the host's BaseItem or CatalogAwareItem",
        'Extend BaseItem of @gantry/plugin-api; a bundler must leave @gantry/plugin-api, sequelize and sequelize-typescript out of the bundle',
      );
    }
    if (!itemTypeOptions(type)) {
      return problem('has no @ItemType decorator', `Put @ItemType({ … }) before the class ${name}`);
    }
    if (/^[A-Z][A-Za-z0-9]{0,62}$/.test(type.name)) return [];
    return problem(
      'is not a class name: it must begin with a capital letter and have only letters and digits',
      'Rename the class; where a minifier has renamed it, keep its name (esbuild: --keep-names), or give its code: @ItemType({ code })',
    );
  });
  return invalid.length > 0 ? invalid : sameCodes(definition);
}

function sameCodes({ itemTypes = [] }: PluginDefinition): readonly PluginProblem[] {
  return itemTypes.flatMap((type, index) => {
    const code = type.name.toLowerCase();
    const other = itemTypes.slice(0, index).find(({ name }) => name.toLowerCase() === code);
    if (other === undefined) return [];
    if (other === type) {
      return [createProblem('ITEM_TYPE_INVALID', `itemTypes has the class ${type.name} twice`, 'List it once')];
    }
    const reason = `The item types ${other.name} and ${type.name} have the same code "${code}"`;
    const remedy = 'Rename one of the classes, or give one another code: @ItemType({ code })';
    return [createProblem('ITEM_TYPE_INVALID', reason, remedy)];
  });
}

/** Field kinds are made with `defineFieldKind`, whose result this is. */
export function checkFieldKinds({ fieldKinds = [] }: PluginDefinition): readonly PluginProblem[] {
  const kinds: unknown = fieldKinds;
  const invalid = (reason: string) =>
    createProblem(
      'FIELD_KIND_INVALID',
      reason,
      'List the results of defineFieldKind (@gantry/plugin-api) in fieldKinds',
    );
  if (!Array.isArray(kinds)) return [invalid('The field kinds are not a list')];
  const names = new Set<string>();
  return kinds.flatMap((kind: unknown, index) => {
    if (!isFieldKind(kind)) return [invalid(`The field kind number ${index + 1} was not made with defineFieldKind`)];
    // Search fields have their type in lower case.
    const name = kind.name.toLowerCase();
    if (names.has(name)) return [invalid(`Two field kinds have the name ${kind.name}`)];
    names.add(name);
    return [];
  });
}

/** A service names its queue; its workflow bundle, if any, has been built. */
export function checkService({ service }: PluginDefinition): readonly PluginProblem[] {
  if (service === undefined) return [];
  const { taskQueue, workflowsPath }: { readonly taskQueue?: unknown; readonly workflowsPath?: unknown } = service;
  const isNamed = typeof taskQueue === 'string' && taskQueue !== '';
  return [
    ...(isNamed ? [] : [serviceInvalid('The service has no task queue', 'Set service.taskQueue')]),
    ...(workflowsPath === undefined || isExistingFile(workflowsPath) ? [] : [bundleMissing(workflowsPath)]),
  ];
}

/** Each migration has a name, by which the database remembers it, and a function. */
export function checkMigrations(definition: PluginDefinition): readonly PluginProblem[] {
  const migrations: unknown = definition.migrations ?? [];
  const invalid = (reason: string) =>
    createProblem(
      'MIGRATION_INVALID',
      reason,
      'List migrations as { name, up, backwardCompatible? }: a text, an asynchronous function, and true or false',
    );
  if (!Array.isArray(migrations)) return [invalid('The migrations are not a list')];
  return migrations.flatMap((migration: unknown, index) =>
    isMigration(migration)
      ? []
      : [
          invalid(
            `The migration number ${index + 1} has no name, no function up, or a backwardCompatible that is not true or false`,
          ),
        ],
  );
}

/** Each subscription has an id, by which the database remembers it, and a function. */
export function checkSubscriptions(definition: PluginDefinition): readonly PluginProblem[] {
  const subscriptions: unknown = definition.subscriptions ?? [];
  const invalid = (reason: string) =>
    createProblem(
      'SUBSCRIPTION_INVALID',
      reason,
      'List subscriptions as { id, types?, startAt?, handle }: a different id of lower-case letters, digits and hyphens for each, type codes, latest or oldest, and an asynchronous function',
    );
  if (!Array.isArray(subscriptions)) return [invalid('The subscriptions are not a list')];
  const ids = new Set<unknown>();
  return subscriptions.flatMap((subscription: unknown, index) => {
    if (!isSubscription(subscription)) return [invalid(`The subscription number ${index + 1} is not valid`)];
    if (ids.has(subscription.id)) return [invalid(`Two subscriptions have the id ${subscription.id}`)];
    ids.add(subscription.id);
    return [];
  });
}

/** Each hook names types, and has a function before or after. */
export function checkWriteHooks(definition: PluginDefinition): readonly PluginProblem[] {
  const hooks: unknown = definition.writeHooks ?? [];
  const invalid = (reason: string) =>
    createProblem(
      'WRITE_HOOK_INVALID',
      reason,
      'List write hooks as { types, beforeWrite?, afterWrite? }: type codes, and at least one of the functions',
    );
  if (!Array.isArray(hooks)) return [invalid('The write hooks are not a list')];
  return hooks.flatMap((hook: unknown, index) =>
    isWriteHook(hook) ? [] : [invalid(`The write hook number ${index + 1} is not valid`)],
  );
}

function isWriteHook(hook: unknown): boolean {
  if (typeof hook !== 'object' || hook === null) return false;
  const { types, beforeWrite, afterWrite, ...unknown } = hook as Record<string, unknown>;
  const given = [beforeWrite, afterWrite].filter((code) => code !== undefined);
  return (
    Array.isArray(types) &&
    types.every((type) => typeof type === 'string' && type !== '') &&
    given.length > 0 &&
    given.every((code) => typeof code === 'function') &&
    Object.keys(unknown).length === 0
  );
}

function isSubscription(subscription: unknown): subscription is { readonly id: string } {
  if (typeof subscription !== 'object' || subscription === null) return false;
  const { id, types = [], startAt = 'latest', handle, ...unknown } = subscription as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    /^[a-z][a-z0-9-]{0,39}$/.test(id) &&
    Array.isArray(types) &&
    types.every((type) => typeof type === 'string') &&
    (startAt === 'latest' || startAt === 'oldest') &&
    typeof handle === 'function' &&
    Object.keys(unknown).length === 0
  );
}

function isMigration(migration: unknown): boolean {
  if (typeof migration !== 'object' || migration === null) return false;
  const { name, up, backwardCompatible = false } = migration as Readonly<Partial<Record<string, unknown>>>;
  return typeof name === 'string' && name !== '' && typeof up === 'function' && typeof backwardCompatible === 'boolean';
}

function isExistingFile(path: unknown): boolean {
  return typeof path === 'string' && isAbsolute(path) && existsSync(path);
}

function bundleMissing(path: unknown): PluginProblem {
  const remedy = 'Build the plugin; service.workflowsPath is the absolute path of its bundle';
  return serviceInvalid(`The workflow bundle ${String(path)} does not exist`, remedy);
}

function serviceInvalid(reason: string, remedy: string): PluginProblem {
  return createProblem('SERVICE_INVALID', reason, remedy);
}

function compare(what: string, declared: readonly string[], registered: readonly string[]) {
  const named = (names: readonly string[]): readonly string[] => names.map((name) => `${what} "${name}"`);
  return {
    missing: named([...new Set(registered)].filter((name) => !declared.includes(name))),
    extra: named(declared.filter((name) => !registered.includes(name))),
    repeated: named(repetitionsIn(registered)),
  };
}

function repetitionsIn(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
