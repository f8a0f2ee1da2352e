import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The range that projects and plugins get: this version and later ones of the same major. All packages of Gantry share it. */
export function ownRange(): string {
  const text = readFileSync(join(__dirname, '..', 'package.json'), 'utf8');
  return `^${(JSON.parse(text) as { readonly version: string }).version}`;
}
