import { readFile } from 'node:fs/promises';

const map = { version: 3, file: '/workflow-bundle.js', sources: [], names: [], mappings: '' };
const comment = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/** The code of a bundle for a worker. @param edit of the code */
export async function readWorkflowCode(
  file: string,
  edit = (code: string) => code,
): Promise<{ readonly code: string }> {
  return { code: withoutSourceMap(edit(await readFile(file, 'utf8'))) };
}

/**
 * The code with an empty map. The SDK executes a bundle before it starts a worker, and ignores the error that comes of it; for the
 * stack of that error, jest would read the map: half a second of processor time.
 */
export function withoutSourceMap(code: string): string {
  const end = code.lastIndexOf(comment);
  if (end < 0) throw new Error('A workflow bundle has no source map: see scripts/bundle-workflows.mjs.');
  return `${code.slice(0, end)}${comment}${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
}
