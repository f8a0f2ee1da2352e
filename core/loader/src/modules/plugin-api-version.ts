import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The version of the plugin API that this host has; plugins name the range they were built for. */
export function pluginApiVersion(): string {
  const file = createRequire(__filename).resolve('@gantry/plugin-api/package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
