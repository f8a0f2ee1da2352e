import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What plugins may still use and no longer from the next major version on, by code; the documentation is made from it. */
export const deprecations = {
  GANTRY_DEP001: {
    since: '1.1.0',
    what: 'A number as the id of an item, in http of startTestPlatform',
    replacement: 'the id as text, such as String(row.id)',
  },
} as const satisfies Record<`GANTRY_DEP${number}`, Deprecation>;

interface Deprecation {
  readonly since: string;
  readonly what: string;
  readonly replacement: string;
}

export type DeprecationCode = keyof typeof deprecations;

/** Code and place of the warnings of this process: each place is warned of once. */
const warned = new Set<string>();

/**
 * Warns that the caller uses something deprecated, as Node.js does: `--throw-deprecation`, `--trace-deprecation` and
 * `--no-deprecation` apply. To be called synchronously by the function that the plugin has called.
 */
export function warnDeprecated(code: DeprecationCode): void {
  const place = callerOf(new Error('the stack').stack ?? '');
  const key = `${code} ${place ?? ''}`;
  if (warned.has(key)) return;
  warned.add(key);
  const { what, replacement } = deprecations[code];
  const where = place === undefined ? '' : ` It is used at ${describePlace(place)}.`;
  process.emitWarning(`${what} is deprecated, and refused from version 2.0 on.${where} Use ${replacement}.`, {
    type: 'DeprecationWarning',
    code,
  });
}

/** Of its sources, too, where stacks are mapped to them. */
const packageFolder = dirname(__dirname) + sep;

/** The innermost frame that is not in this package: `/plugins/boats/lib/boat.js:3:12`. */
function callerOf(stack: string): string | undefined {
  for (const line of stack.split('\n').slice(1)) {
    const position = /(?:^\s+at |\()((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*:\d+:\d+)\)?$/.exec(line)?.[1];
    if (position === undefined) continue;
    const path = position.startsWith('file://') ? pathOf(position) : position;
    if (!path.startsWith(packageFolder)) return path;
  }
  return undefined;
}

function pathOf(position: string): string {
  const [, url = position, rest = ''] = /^(.*?)((?::\d+)+)$/.exec(position) ?? [];
  return `${fileURLToPath(url)}${rest}`;
}

/** With the plugin or the package whose file it is, where there is one. */
function describePlace(place: string): string {
  for (let folder = dirname(place); ; folder = dirname(folder)) {
    const name = nameIn(folder);
    if (name !== undefined) return `${place.slice(folder.length + 1)} of ${name}`;
    if (folder === dirname(folder)) return place;
  }
}

function nameIn(folder: string): string | undefined {
  try {
    const { name, gantry } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly name?: unknown;
      readonly gantry?: { readonly id?: unknown };
    };
    if (typeof gantry?.id === 'string') return `the plugin ${gantry.id}`;
    return typeof name === 'string' ? `the package ${name}` : undefined;
  } catch {
    return undefined;
  }
}
