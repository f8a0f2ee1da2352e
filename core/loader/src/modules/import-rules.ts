import { isBuiltin } from 'node:module';
import { sep } from 'node:path';

/** A discovered plugin, as far as importing concerns it. Plain values: the plan crosses into another thread on Node.js 20. */
export interface ImportingPlugin {
  readonly id: string;
  readonly packageName: string;
  /** Real path. */
  readonly folder: string;
  /**
   * A file as which packages are asked for that the plugin does not carry itself: those above the folder that it was copied
   * from, such as the dependencies of a workspace. Absent for one that is loaded where it was found.
   */
  readonly hoistedFrom?: string;
  /** Absolute path of the file that the host imports. */
  readonly entry: string;
  readonly hasExports: boolean;
  /** Ids of the plugins it declares as dependencies. */
  readonly dependencies: readonly string[];
  /** Why it cannot be imported: it is disabled or quarantined. */
  readonly unavailable?: string;
}

/** Who may import what from where. */
export interface ImportPlan {
  /** The host's files from which what it provides is resolved, tried in order. */
  readonly anchors: readonly string[];
  /** Real paths of the platform's own packages, no file of which a plugin may import. */
  readonly internals: readonly string[];
  readonly plugins: readonly ImportingPlugin[];
}

/** Where an import leads. */
export type ImportRoute =
  | { readonly kind: 'usual' }
  /** Resolved as if this file had asked for the specifier. */
  | { readonly kind: 'from'; readonly file: string; readonly specifier: string }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'refused'; readonly message: string; readonly cause: 'undeclared' | 'internal' | 'missing' };

/** Decides what the import of a specifier by a file leads to. */
export interface ImportRules {
  /** Where to look for it. */
  route(specifier: string, importer: string): ImportRoute;
  /** Why the file that was found must not be imported by that importer, also not by its path. */
  refuse(file: string, specifier: string, importer: string): Refusal | undefined;
}

/** An import that a plugin may not make. */
export type Refusal = Extract<ImportRoute, { readonly kind: 'refused' }>;

const providedByGantry: readonly string[] = ['@gantry/plugin-api', '@gantry/contracts', '@gantry/ui'];
const provided: ReadonlySet<string> = new Set([
  ...providedByGantry,
  ...['sequelize', 'sequelize-typescript', 'reflect-metadata'],
]);
const providedScope = '@temporalio/';
const ownScope = '@gantry/';

/**
 * Makes the function that decides where an import leads. Only files in a plugin's folder are led elsewhere than usual:
 * to the host's copy of what the host provides, and to the one copy of another plugin's package that the host loads, so
 * that the classes of both are the same.
 * @param anchorOf the host's file from which a package can be resolved; undefined when the host does not have it
 * @param isCarried true when a package is in a node_modules of the plugin's own, as seen from the importing file
 */
export function createImportRules(
  plan: ImportPlan,
  anchorOf: (packageName: string) => string | undefined,
  isCarried: (packageName: string, importer: string, plugin: ImportingPlugin) => boolean,
): ImportRules {
  const byPackage = new Map(plan.plugins.map((plugin) => [plugin.packageName, plugin]));
  // The innermost folder owns a file, if one plugin is within another.
  const innermostFirst = plan.plugins.toSorted((first, second) => second.folder.length - first.folder.length);
  const isInternal = (file: string): boolean => plan.internals.some((folder) => file.startsWith(folder + sep));
  // The platform itself may be installed in the folder of a plugin, as its development dependency.
  const ownerOf = (file: string): ImportingPlugin | undefined =>
    isInternal(file) ? undefined : innermostFirst.find(({ folder }) => file.startsWith(folder + sep));

  return {
    route(specifier, importer) {
      const packageName = packageNameOf(specifier);
      if (packageName === undefined) return usual;
      const target = byPackage.get(packageName);
      const owner = ownerOf(importer);
      if (owner === undefined || owner === target) return usual;
      if (target !== undefined) return toPlugin(owner, target, specifier);
      if (!isProvided(packageName)) {
        if (packageName.startsWith(ownScope)) return notProvided(owner, packageName, specifier);
        const { hoistedFrom } = owner;
        if (hoistedFrom === undefined || isBuiltin(specifier) || isCarried(packageName, importer, owner)) return usual;
        return { kind: 'from', file: hoistedFrom, specifier };
      }
      const anchor = anchorOf(packageName);
      return anchor === undefined ? usual : { kind: 'from', file: anchor, specifier };
    },
    refuse(file, specifier, importer) {
      if (!isInternal(file)) return undefined;
      const owner = ownerOf(importer);
      return owner && internal(owner, specifier);
    },
  };
}

const usual: ImportRoute = { kind: 'usual' };

/** `@scope/name` of `@scope/name/sub/path`; undefined for relative paths, URLs, `#imports` and similar specifiers. */
function packageNameOf(specifier: string): string | undefined {
  return /^(?:@[a-z0-9-~][\w.~-]*\/)?[a-z0-9-~][\w.~-]*(?=\/|$)/i.exec(specifier)?.[0];
}

function isProvided(packageName: string): boolean {
  return provided.has(packageName) || packageName.startsWith(providedScope);
}

/** A plugin of the platform that was not discovered is missing as any other one; the rest of the scope is internal. */
function notProvided(owner: ImportingPlugin, packageName: string, specifier: string): Refusal {
  if (!/^@gantry\/(?:plugin|service)-/.test(packageName)) return internal(owner, specifier);
  return { kind: 'refused', message: `Cannot import ${specifier}: there is no such plugin`, cause: 'missing' };
}

function internal(owner: ImportingPlugin, specifier: string): Refusal {
  const message = `${owner.id} imports ${specifier}, which is internal to the platform; plugins can import only ${providedByGantry.join(', ')}`;
  return { kind: 'refused', message, cause: 'internal' };
}

function toPlugin(owner: ImportingPlugin, target: ImportingPlugin, specifier: string): ImportRoute {
  if (!owner.dependencies.includes(target.id)) {
    const message = `${owner.id} imports ${specifier} of the plugin ${target.id} without naming "${target.id}" in gantry.dependsOn or gantry.optionalDependsOn of its package.json`;
    return { kind: 'refused', message, cause: 'undeclared' };
  }
  if (target.unavailable !== undefined) {
    return {
      kind: 'refused',
      message: `Cannot import ${specifier}: the plugin ${target.id} ${target.unavailable}`,
      cause: 'missing',
    };
  }
  if (specifier === target.packageName) return { kind: 'file', file: target.entry };
  const subpath = specifier.slice(target.packageName.length);
  return {
    kind: 'from',
    file: `${target.folder}${sep}package.json`,
    specifier: target.hasExports ? specifier : `.${subpath}`,
  };
}
