import { readFileSync } from 'node:fs';

/** The version of this Gantry. */
export function platformVersion(): string {
  const text = readFileSync(require.resolve('@gantry/host/package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
