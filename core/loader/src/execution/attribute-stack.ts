import type { HostedPlugin } from '@gantry/contracts';

/** The plugin whose code a stack passes through last, and where. */
export interface StackAttribution {
  readonly plugin: string;
  /** Relative to the folder of the plugin, with line and column: `lib/boat.js:3:12`. */
  readonly position: string;
}

/**
 * Finds the innermost frame of a stack that is in the folder of a plugin, including its node_modules.
 * @param stack as `Error.stack` has it; the lines before the first frame are not looked at
 */
export function attributeStack(stack: string, plugins: readonly HostedPlugin[]): StackAttribution | undefined {
  const byDepth = plugins.toSorted((first, second) => second.folder.length - first.folder.length);
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line)) continue;
    const frame = decodeFrame(line);
    for (const { id, folder } of byDepth) {
      const position = positionIn(frame, slashed(folder));
      if (position !== undefined) return { plugin: id, position };
    }
  }
  return undefined;
}

/** Frames of ES modules name files by URL. */
function decodeFrame(line: string): string {
  const frame = slashed(line);
  if (!frame.includes('file://')) return frame;
  const path = frame.replace(/file:\/\/\/(?=[A-Za-z]:\/)/, '').replace('file://', '');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** `at name (/folder/lib/boat.js:3:12)`, and without a name `at /folder/lib/boat.js:3:12`. */
function positionIn(frame: string, folder: string): string | undefined {
  const start = frame.indexOf(`${folder}/`);
  if (start < 1 || !' ('.includes(frame.charAt(start - 1))) return undefined;
  return /^[^():]+:\d+(?::\d+)?/.exec(frame.slice(start + folder.length + 1))?.[0];
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}
