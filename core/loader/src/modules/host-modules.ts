import { existsSync, readdirSync, realpathSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolveImport, resolveRequire, rulesOf, type ResolveContext, type Resolved } from './import-resolver';
import type { ImportPlan, ImportRules } from './import-rules';

/** Puts Node.js back to its usual ways of finding modules. */
export interface InstalledHostModules {
  uninstall(): void;
}

/** The part of Node.js' module system that TypeScript's declarations for Node.js 20 lack. */
interface ModuleInternals {
  _resolveFilename: ResolveFilename;
  registerHooks?: RegisterHooks;
}

type ResolveFilename = (
  request: string,
  parent: { readonly filename?: string | null } | undefined,
  ...rest: unknown[]
) => string;
type ResolveHook = (
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Resolved,
) => Resolved;
type RegisterHooks = (hooks: { readonly resolve: ResolveHook }) => { deregister(): void };

const internals = Module as unknown as ModuleInternals;

/**
 * Lets plugin code find what the host provides, wherever the plugin's folder is: for `require` in the one way that
 * every supported Node.js has, for `import` by synchronous hooks, or on Node.js 20 by a hooks thread.
 */
export function installHostModules(plan: ImportPlan): InstalledHostModules {
  const rules = rulesOf(plan);
  const restoreRequire = patchRequire(rules);
  const restoreImport = internals.registerHooks ? hookImport(rules, internals.registerHooks) : startHooksThread(plan);
  return {
    uninstall: () => {
      restoreRequire();
      restoreImport();
    },
  };
}

/** Files from which the host's own modules are found; the rest of the Temporal packages may be below the worker's. */
export function hostAnchors(): readonly string[] {
  const { resolve } = createRequire(__filename);
  const anchors = ['@gantry/plugin-api', '@temporalio/worker'].flatMap((name) => {
    try {
      return [resolve(name)];
    } catch {
      // As published, the host has a copy of the worker.
      return [];
    }
  });
  return [__filename, ...anchors];
}

/** Real paths of the packages that run the platform: none of their files is for plugins. */
export function internalFolders(): readonly string[] {
  const paths = createRequire(__filename).resolve.paths('@gantry/core-loader') ?? [];
  const installed = paths.flatMap((path) => {
    const folder = join(path, '@gantry');
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => /^(?:core-.+|host|launcher|cli)$/.test(name));
    return names.map((name) => join(folder, name));
  });
  return [...new Set([join(__dirname, '..', '..'), ...installed].map((folder) => realpathSync(folder)))];
}

function patchRequire(rules: ImportRules): () => void {
  const original = internals._resolveFilename;
  const patched: ResolveFilename = function (this: unknown, request, parent, ...rest) {
    const usual = (): string => Reflect.apply(original, this, [request, parent, ...rest]);
    const importer = parent?.filename;
    return typeof importer === 'string' ? resolveRequire(rules, request, importer, usual) : usual();
  };
  internals._resolveFilename = patched;
  return () => {
    if (internals._resolveFilename === patched) internals._resolveFilename = original;
  };
}

function hookImport(rules: ImportRules, registerHooks: RegisterHooks): () => void {
  const registration = registerHooks({
    // Requests of `require` go through the patched function above.
    resolve: (specifier, context, next) =>
      context.conditions?.includes('require')
        ? next(specifier, context)
        : resolveImport(rules, specifier, context, next),
  });
  return () => registration.deregister();
}

/**
 * Hooks of this kind stay until the process ends; they only concern files in the folders of this plan. Tests that run the
 * sources have no built file for the thread: their module system is the test runner's, which no hook reaches.
 */
function startHooksThread(plan: ImportPlan): () => void {
  const file = join(__dirname, 'host-modules-thread.js');
  if (existsSync(file)) Module.register(pathToFileURL(file).href, { data: plan });
  return () => undefined;
}
