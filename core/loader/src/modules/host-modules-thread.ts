/**
 * The hooks that Node.js runs in a separate thread where it has no synchronous ones (Node.js 20).
 * The only state of this module is set once, by Node.js, before the first import.
 */
import { resolveImport, rulesOf, type ResolveContext, type Resolved } from './import-resolver';
import type { ImportPlan, ImportRules } from './import-rules';

let rules: ImportRules = { route: () => ({ kind: 'usual' }), refuse: () => undefined };

export function initialize(plan: ImportPlan): void {
  rules = rulesOf(plan);
}

export async function resolve(
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Promise<Resolved>,
): Promise<Resolved> {
  return resolveImport(rules, specifier, context, next);
}
