/**
 * `node scripts/release.mjs`: publishes every public package whose version the registry does not have yet, as the proof `packages` tries
 * them. `--dry-run` packs and publishes nothing. Versions and changelogs come from `npx changeset version` before.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { packPackages } from './lib/pack-packages.mjs';

const run = promisify(execFile);
const isDryRun = process.argv.includes('--dry-run');

await ensureInstalled({ withTools: true });
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'gantry-release-'));
try {
  for (const { name, version, filename } of await packPackages(folder)) {
    if (await isPublished(name, version)) {
      console.log(`${name} ${version} is published already.`);
      continue;
    }
    if (!isDryRun) await run('npm', ['publish', join(folder, filename), '--access', 'public']);
    console.log(`${name} ${version} ${isDryRun ? 'would be' : 'was'} published.`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function isPublished(name, version) {
  const found = await run('npm', ['view', `${name}@${version}`, 'version']).catch(() => undefined);
  return found?.stdout.trim() === version;
}
