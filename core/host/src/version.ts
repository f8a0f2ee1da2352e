import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of the platform, from the package. */
export const version: string = (
  JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { readonly version: string }
).version;
