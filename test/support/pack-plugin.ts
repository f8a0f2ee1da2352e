import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PackedPlugin {
  readonly id: string;
  readonly version: string;
  /** Body of its start. */
  readonly start?: string;
  /** Statements of its migrations, by name. */
  readonly migrations?: Readonly<Record<string, string>>;
}

/** Writes a plugin as `npm pack` does. @returns the path of the tarball */
export function packPlugin(folder: string, { id, version, start = '', migrations = {} }: PackedPlugin): string {
  const manifest = {
    ...{ name: `@acme/gantry-plugin-${id}`, version, main: './index.js' },
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id, displayName: id.charAt(0).toUpperCase() + id.slice(1) },
  };
  const migrationsText = Object.entries(migrations).map(
    ([name, sql]) => `{ name: '${name}', up: ({ query }) => query(${JSON.stringify(sql)}) }`,
  );
  const code = `module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}', migrations: [${migrationsText.join()}], async start() { ${start} } });`;
  const file = join(folder, `acme-gantry-plugin-${id}-${version}.tgz`);
  const draft = mkdtempSync(join(folder, 'pack-'));
  mkdirSync(join(draft, 'package'));
  writeFileSync(join(draft, 'package/package.json'), JSON.stringify(manifest));
  writeFileSync(join(draft, 'package/index.js'), code);
  execFileSync('tar', ['-czf', file, '-C', draft, 'package']);
  rmSync(draft, { recursive: true });
  return file;
}
