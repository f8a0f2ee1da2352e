import { fileURLToPath } from 'node:url';
import type { HostedPlugin } from '@gantry/contracts';

/** The plugin whose code a stack passes through last, and where. */
export interface StackAttribution {
  readonly plugin: string;
  /** Relative to the folder of the plugin, with line and column: `lib/boat.js:3:12`. */
  readonly place: string;
}

/**
 * Finds the innermost frame of a stack that is in the folder of a plugin, packages of its own included.
 * @param stack as `Error.stack` has it; the lines before the first frame are not looked at
 */
export function attributeStack(stack: string, plugins: readonly HostedPlugin[]): StackAttribution | undefined {
  for (const line of stack.split('\n')) {
    const file = fileOfFrame(line);
    const owner = file === undefined ? undefined : ownerOf(file, plugins);
    if (file !== undefined && owner !== undefined) {
      return { plugin: owner.id, place: file.slice(slashed(owner.folder).length + 1) };
    }
  }
  return undefined;
}

/** `    at name (file:1:2)`, `    at async file:///folder/file.mjs:1:2`. */
const framePattern = /^\s+at (?:.*\()?((?:file:|\/|[A-Za-z]:[\\/]).*:\d+(?::\d+)?)\)?$/;

function fileOfFrame(line: string): string | undefined {
  const [, place] = framePattern.exec(line) ?? [];
  if (place === undefined) return undefined;
  return slashed(place.startsWith('file:') ? pathOf(place) : place);
}

function pathOf(address: string): string {
  const [, url = address, position = ''] = /^(.*?)((?::\d+){1,2})$/.exec(address) ?? [];
  try {
    return fileURLToPath(url) + position;
  } catch {
    return address;
  }
}

/** One plugin may be installed within the folder of another one. */
function ownerOf(file: string, plugins: readonly HostedPlugin[]): HostedPlugin | undefined {
  const owners = plugins.filter(({ folder }) => file.startsWith(`${slashed(folder)}/`));
  return owners.toSorted((first, second) => second.folder.length - first.folder.length)[0];
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
