import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createImportRules, type ImportPlan, type ImportRules, type Refusal } from './import-rules';

/** The arguments that Node.js passes to a resolve hook. */
export interface ResolveContext {
  readonly conditions?: readonly string[];
  readonly parentURL?: string | undefined;
}

/** The answer of a resolve hook. */
export interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}

type Next<R> = (specifier: string, context: ResolveContext) => R;

/** The rules of a plan, with the host's packages looked up on disk. */
export function rulesOf(plan: ImportPlan): ImportRules {
  const known = new Map<string, string | undefined>();
  const find = (packageName: string): string | undefined => {
    const anchor = plan.anchors.find((file) => canReach(packageName, file));
    known.set(packageName, anchor);
    return anchor;
  };
  const carried = new Map<string, boolean>();
  return createImportRules(
    plan,
    (packageName) => (known.has(packageName) ? known.get(packageName) : find(packageName)),
    (packageName, importer, { folder }) => {
      const key = `${dirname(importer)}\n${packageName}`;
      const isCarried = carried.get(key) ?? carries(folder, packageName, importer);
      carried.set(key, isCarried);
      return isCarried;
    },
  );
}

/** Whether a node_modules between a file and the folder of its plugin has a package. */
function carries(folder: string, packageName: string, importer: string): boolean {
  for (let current = dirname(importer); ; current = dirname(current)) {
    if (existsSync(join(current, 'node_modules', packageName))) return true;
    if (current === folder || current === dirname(current)) return false;
  }
}

/** Resolves one `import` by the rules; `next` is what Node.js would do. */
export function resolveImport<R extends Resolved | Promise<Resolved>>(
  rules: ImportRules,
  specifier: string,
  context: ResolveContext,
  next: Next<R>,
): R | Resolved {
  const { parentURL } = context;
  if (!parentURL?.startsWith('file:')) return next(specifier, context);
  const importer = fileURLToPath(parentURL);
  const guard = (resolved: Resolved): Resolved => {
    const file = resolved.url.startsWith('file:') ? fileURLToPath(resolved.url) : '';
    const refused = rules.refuse(file, specifier, importer);
    if (refused) throw refusal(refused, 'ERR_MODULE_NOT_FOUND');
    return resolved;
  };
  const route = rules.route(specifier, importer);
  switch (route.kind) {
    case 'usual': {
      const resolved = next(specifier, context);
      return resolved instanceof Promise ? (resolved.then(guard) as R) : guard(resolved);
    }
    case 'from':
      return next(route.specifier, { ...context, parentURL: pathToFileURL(route.file).href });
    case 'file':
      return { url: pathToFileURL(route.file).href, shortCircuit: true };
    case 'refused':
      throw refusal(route, 'ERR_MODULE_NOT_FOUND');
  }
}

/** Resolves one `require` by the rules; `usual` is what Node.js would do. */
export function resolveRequire(rules: ImportRules, specifier: string, importer: string, usual: () => string): string {
  const route = rules.route(specifier, importer);
  switch (route.kind) {
    case 'usual': {
      const file = usual();
      const refused = rules.refuse(file, specifier, importer);
      if (refused) throw refusal(refused, 'MODULE_NOT_FOUND');
      return file;
    }
    case 'from':
      return createRequire(route.file).resolve(route.specifier);
    case 'file':
      return route.file;
    case 'refused':
      throw refusal(route, 'MODULE_NOT_FOUND');
  }
}

function canReach(packageName: string, anchor: string): boolean {
  const folders = createRequire(anchor).resolve.paths(packageName) ?? [];
  return folders.some((folder) => existsSync(join(folder, packageName, 'package.json')));
}

/** A missing optional dependency looks as one that is not installed, so that a plugin can do without it. */
function refusal(route: Refusal, missingCode: string): Error {
  const codes = {
    missing: missingCode,
    undeclared: 'GANTRY_UNDECLARED_DEPENDENCY',
    internal: 'GANTRY_INTERNAL_MODULE',
  } as const;
  return Object.assign(new Error(route.message), { code: codes[route.cause] });
}
