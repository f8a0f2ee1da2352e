/**
 * `node scripts/lint-openapi.mjs`: what `redocly lint` and `spectral:oas` say of the OpenAPI document, as other tools read it. Errors fail;
 * warnings are counted. Build first.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformDocument } from './lib/platform-document.mjs';
import { runNode } from './lib/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'gantry-openapi-'));
// It would report what it is used for, and look for newer versions.
process.env.REDOCLY_TELEMETRY = 'off';
process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true';

try {
  const document = join(folder, 'openapi.json');
  const ruleset = join(folder, 'spectral.yaml');
  writeFileSync(document, JSON.stringify(platformDocument()));
  writeFileSync(ruleset, 'extends: ["spectral:oas"]\n');
  const tools = [
    ['@redocly/cli/bin/cli.js', ['lint', document, '--extends=recommended', '--format=summary']],
    ['@stoplight/spectral-cli/dist/index.js', ['lint', document, '--ruleset', ruleset, '--display-only-failures']],
  ];
  const codes = [];
  for (const [file, args] of tools) codes.push(await runNode(join('node_modules', file), args));
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
