import type { PluginPhase, PluginProblem, PluginState } from '@gantry/contracts';

interface ProblemKind {
  /** The state a plugin takes with this problem. */
  readonly state: Extract<PluginState, 'disabled' | 'incompatible' | 'blocked' | 'failed'>;
  readonly phase: PluginPhase;
  readonly title: string;
}

/** The one table of what can be wrong with a plugin; the documentation of the codes is made from it. */
export const problemKinds = {
  PACKAGE_UNREADABLE: { state: 'failed', phase: 'discover', title: 'The package.json cannot be read' },
  PACKAGE_MALFORMED: { state: 'failed', phase: 'discover', title: 'The package.json is not a JSON object' },
  PLUGIN_ID_TAKEN: { state: 'failed', phase: 'discover', title: 'Two packages have the same plugin id' },
  PLUGIN_DISABLED: { state: 'disabled', phase: 'discover', title: 'The plugin was disabled by command' },
  PLUGIN_NOT_SELECTED: { state: 'disabled', phase: 'discover', title: 'Another process runs the plugin' },
  MANIFEST_INVALID: { state: 'incompatible', phase: 'validate', title: 'A member of the manifest is missing or wrong' },
  MANIFEST_VERSION_UNSUPPORTED: {
    state: 'incompatible',
    phase: 'validate',
    title: 'The manifest is of another version',
  },
  PLUGIN_ID_RESERVED: { state: 'incompatible', phase: 'validate', title: 'The plugin id belongs to the platform' },
  PLUGIN_API_MISSING: {
    state: 'incompatible',
    phase: 'validate',
    title: 'The package names no range of the plugin API',
  },
  PLUGIN_API_INCOMPATIBLE: { state: 'incompatible', phase: 'validate', title: 'The package needs another plugin API' },
  ENTRY_MISSING: { state: 'incompatible', phase: 'validate', title: 'The entry file does not exist' },
  TYPE_CODE_RESERVED: { state: 'incompatible', phase: 'validate', title: 'The type code belongs to the platform' },
  TASK_QUEUE_RESERVED: { state: 'incompatible', phase: 'validate', title: 'The task queue belongs to the platform' },
  PERMISSION_RESERVED: {
    state: 'incompatible',
    phase: 'validate',
    title: 'The name of a permission belongs to another plugin',
  },
  FIELD_KIND_RESERVED: {
    state: 'incompatible',
    phase: 'validate',
    title: 'The name of a field kind belongs to another plugin',
  },
  ROUTE_RESERVED: { state: 'incompatible', phase: 'validate', title: 'The route belongs to the platform' },
  PACKAGE_NOT_STORED: {
    state: 'incompatible',
    phase: 'validate',
    title: 'The package cannot be copied into the plugin store',
  },
  PLUGIN_CHANGED: { state: 'incompatible', phase: 'validate', title: 'The package changed since it was enabled' },
  DEPENDENCY_CYCLE: { state: 'failed', phase: 'order', title: 'The plugin depends on itself' },
  DEPENDENCY_VERSION: { state: 'incompatible', phase: 'order', title: 'A dependency has another version' },
  DEPENDENCY_MISSING: { state: 'blocked', phase: 'order', title: 'A dependency is not installed' },
  DEPENDENCY_DISABLED: { state: 'blocked', phase: 'order', title: 'A dependency is disabled' },
  DEPENDENCY_FAILED: { state: 'blocked', phase: 'order', title: 'A dependency cannot be used' },
  TYPE_CODE_TAKEN: { state: 'failed', phase: 'order', title: 'Another plugin has the same item type' },
  TASK_QUEUE_TAKEN: { state: 'failed', phase: 'order', title: 'Another plugin has the same task queue' },
  ROUTE_TAKEN: { state: 'failed', phase: 'order', title: 'Another plugin answers the same route' },
  DISPLACES_PLUGIN: { state: 'failed', phase: 'order', title: 'Enabling the plugin would disable another plugin' },
  DUPLICATE_MODULE: {
    state: 'failed',
    phase: 'load',
    title: 'The package contains a copy of a package that the host provides',
  },
  LOAD_FAILED: { state: 'failed', phase: 'load', title: 'The entry file threw while it was loaded' },
  NOT_A_PLUGIN: { state: 'failed', phase: 'load', title: 'The default export is not a plugin definition' },
  PLUGIN_ID_MISMATCH: { state: 'failed', phase: 'load', title: 'Code and manifest have different ids' },
  PLUGIN_TIMEOUT: { state: 'failed', phase: 'load', title: 'The code did not finish in time' },
  PLUGIN_EXITED: { state: 'failed', phase: 'load', title: 'The code tried to end the process' },
  PLUGIN_HUNG: {
    state: 'failed',
    phase: 'load',
    title: 'The plugin blocked the host process',
  },
  PLUGIN_CRASHED: {
    state: 'failed',
    phase: 'load',
    title: 'The plugin crashed the host process',
  },
  DEFINITION_INVALID: {
    state: 'failed',
    phase: 'register',
    title: 'The plugin definition has an unknown or wrong member',
  },
  CONFIG_INVALID: { state: 'failed', phase: 'register', title: 'The configuration of the plugin is not valid' },
  REGISTER_FAILED: { state: 'failed', phase: 'register', title: 'The register function threw' },
  REGISTER_ASYNC: { state: 'failed', phase: 'register', title: 'The register function is asynchronous' },
  ITEM_TYPE_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of an item type is not valid' },
  PATTERN_UNSAFE: { state: 'failed', phase: 'register', title: 'The pattern of a field can block the platform' },
  EXTRA_FIELDS_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of extra fields is not valid' },
  FIELD_KIND_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of a field kind is not valid' },
  SERVICE_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of the service is not valid' },
  SUBSCRIPTION_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of a subscription is not valid' },
  WRITE_HOOK_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of a write hook is not valid' },
  MIGRATION_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of a migration is not valid' },
  PERMISSION_UNKNOWN: {
    state: 'failed',
    phase: 'register',
    title: 'A route demands a permission that is not declared',
  },
  ROUTE_INVALID: { state: 'failed', phase: 'register', title: 'The registration of a route is not valid' },
  COMMAND_INVALID: { state: 'failed', phase: 'register', title: 'A command calls a route that commands cannot call' },
  PROVIDED_SERVICE_INVALID: {
    state: 'failed',
    phase: 'register',
    title: 'The registration of a provided service is not valid',
  },
  CONTRIBUTION_INVALID: { state: 'failed', phase: 'register', title: 'The declaration of a contribution is not valid' },
  CONTRIBUTION_MISMATCH: { state: 'failed', phase: 'register', title: 'The contributions of code and manifest differ' },
  FIELD_KIND_MISSING: { state: 'blocked', phase: 'link', title: 'A field kind of another plugin is missing' },
  MODEL_INVALID: { state: 'failed', phase: 'link', title: 'The declaration of a model is not valid' },
  MIGRATION_FAILED: { state: 'failed', phase: 'link', title: 'A migration failed' },
  MIGRATION_TIMED_OUT: { state: 'failed', phase: 'link', title: 'A migration did not finish in time' },
  SCHEMA_TYPE_INVALID: { state: 'failed', phase: 'link', title: 'PostgreSQL rejects the type of a column' },
  SCHEMA_COLUMN_RETYPED: {
    state: 'failed',
    phase: 'link',
    title: 'A column holds values of another kind than its field',
  },
  SCHEMA_COLUMN_LEFT: {
    state: 'failed',
    phase: 'link',
    title: 'A column without a field needs a value, so that no item can be created',
  },
  SCHEMA_REFERENCE_CHANGED: {
    state: 'failed',
    phase: 'link',
    title: 'A reference has values of another target or cardinality than its field',
  },
  SCHEMA_NAME_TAKEN: { state: 'failed', phase: 'link', title: 'The name of a table is already in use' },
  SCHEMA_NEWER: {
    state: 'incompatible',
    phase: 'link',
    title: 'The tables were changed by a newer version of the plugin',
  },
  SCHEMA_RENAME_CONFLICT: {
    state: 'failed',
    phase: 'link',
    title: 'A renamed field or type has values under both names',
  },
  SCHEMA_REFERENCE_MISSING: { state: 'failed', phase: 'link', title: 'A referenced table does not exist' },
  SCHEMA_DUPLICATE_ROWS: {
    state: 'failed',
    phase: 'link',
    title: 'Rows have equal values in columns that must be unique',
  },
  SCHEMA_SINGLETON_ROWS: { state: 'failed', phase: 'link', title: 'A type with exactly one item has several' },
  SCHEMA_ORPHAN_ROWS: { state: 'failed', phase: 'link', title: 'Rows refer to rows that do not exist' },
  SCHEMA_NOT_PERMITTED: { state: 'failed', phase: 'link', title: 'The database user may not change the schema' },
  SCHEMA_TABLE_BUSY: { state: 'failed', phase: 'link', title: 'A table could not be locked in time' },
  SCHEMA_STEP_FAILED: { state: 'failed', phase: 'link', title: 'PostgreSQL rejects a change of the schema' },
  START_FAILED: { state: 'failed', phase: 'start', title: 'The start function threw' },
} as const satisfies Record<string, ProblemKind>;

/** A code of {@link problemKinds}. */
export type ProblemCode = keyof typeof problemKinds;

/** Reason and remedy are sentences for a person: what was expected, what was found, what to do. */
export function createProblem(code: ProblemCode, reason: string, remedy: string, phase?: PluginPhase): PluginProblem {
  return Object.freeze({ phase: phase ?? problemKinds[code].phase, code, reason, remedy });
}

/** As many problems of one plugin are reported and logged; a person fixes these first. */
const maxProblems = 20;

/** The first problems of a plugin; how many more there are is the last of them. */
export function boundProblems(problems: readonly PluginProblem[]): readonly PluginProblem[] {
  const further = problems[maxProblems];
  if (further === undefined || problems.length === maxProblems + 1) return problems;
  const count = (problems.length - maxProblems).toLocaleString('en');
  const rest = { ...further, reason: `… and ${count} more problems`, remedy: 'Fix the listed problems first' };
  return [...problems.slice(0, maxProblems), Object.freeze(rest)];
}

const statesByPrecedence = ['disabled', 'failed', 'incompatible', 'blocked'] as const;

/** The state of a plugin with several problems: the first one in {@link statesByPrecedence}. */
export function stateOf(problems: readonly PluginProblem[]): ProblemKind['state'] {
  const states = new Set(problems.map(({ code }) => kindOf(code)?.state ?? 'failed'));
  return statesByPrecedence.find((state) => states.has(state)) ?? 'failed';
}

function kindOf(code: string): ProblemKind | undefined {
  return Object.hasOwn(problemKinds, code) ? problemKinds[code as ProblemCode] : undefined;
}
