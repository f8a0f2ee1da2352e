/** Parts of the API that work until the next major version, by code; the documentation is made from it. */
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
  const where = place === undefined ? '' : ` ${describeUse(place)}.`;
  process.emitWarning(`${what} is deprecated, and refused from version 2.0 on.${where} Use ${replacement}.`, {
    type: 'DeprecationWarning',
    code,
  });
}

function describeUse(place: string): string {
  const plugin = pluginOf(place);
  return plugin === undefined ? `It is used at ${place}` : `The plugin ${plugin} uses it at ${place}`;
}

/** The id in the manifest of the package that the file belongs to. Not by an import: bundles without Node.js contain this module. */
function pluginOf(place: string): string | undefined {
  const files = process.getBuiltinModule('node:fs');
  const separator = /[\\/][^\\/]*$/;
  for (let folder = place.replace(separator, ''); separator.test(folder); folder = folder.replace(separator, '')) {
    try {
      const text = files.readFileSync(`${folder}/package.json`, 'utf8');
      const { gantry } = JSON.parse(text) as { readonly gantry?: { readonly id?: unknown } };
      if (typeof gantry?.id === 'string') return gantry.id;
    } catch {
      // No package begins here.
    }
  }
  return undefined;
}

/** Of its sources, too, where stacks are mapped to them. */
const packageFolder = __dirname.replace(/[^\\/]+$/, '');

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

/** ES modules are named by URL. */
function pathOf(position: string): string {
  const path = position.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
