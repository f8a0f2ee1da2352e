import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

export interface PackedPlugin {
  readonly id: string;
  readonly version: string;
  /** Body of its start. */
  readonly start?: string;
  /** Members of its definition. */
  readonly members?: string;
}

/** Writes a plugin as `npm pack` does. @returns the path of the tarball */
export async function packPlugin(
  folder: string,
  { id, version, start = '', members = '' }: PackedPlugin,
): Promise<string> {
  const manifest = {
    ...{ name: `@acme/gantry-plugin-${id}`, version, main: './index.js' },
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id, displayName: id.charAt(0).toUpperCase() + id.slice(1) },
  };
  const code = `module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}', ${members} async start() { ${start} } });`;
  const archive = pack();
  archive.entry({ name: 'package/package.json' }, JSON.stringify(manifest));
  archive.entry({ name: 'package/index.js' }, code);
  archive.finalize();
  const file = join(folder, `acme-gantry-plugin-${id}-${version}.tgz`);
  writeFileSync(file, gzipSync(await buffer(archive)));
  return file;
}
