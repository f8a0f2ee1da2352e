/**
 * `npm run api`: compares the public API of the packages that authors import with the reports in test/api-reports. A change
 * fails until it is acknowledged: `npm run api -- --accept` writes the reports, which are then part of the commit.
 *
 * api-extractor reads the declarations of the build with the TypeScript that it brings.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './lib/ensure-built.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { root } from './lib/run.mjs';

/** Entries of packages, by the name of their report. */
const entries = {
  contracts: ['contracts', 'dist/index.d.ts'],
  'plugin-api': ['core/plugin-api', 'dist/index.d.ts'],
  'plugin-api-testing': ['core/plugin-api', 'dist/testing/index.d.ts'],
  ui: ['core/ui', 'dist/index.d.ts'],
  'ui-vite': ['core/ui', 'dist/vite.d.ts'],
  client: ['core/client', 'dist/index.d.ts'],
};

await ensureInstalled({ withTools: true });
await ensureBuilt();
const { Extractor, ExtractorConfig, ExtractorLogLevel } = await import('@microsoft/api-extractor');
mkdirSync(join(root, 'test/api-reports'), { recursive: true });
const accepts = process.argv.includes('--accept');
const changed = Object.keys(entries).filter((name) => !report(name));
if (changed.length > 0) {
  console.error(
    `\nThe public API has changed: ${changed.join(', ')}. Compare it with docs/decisions/0031-author-kit.md,`,
  );
  console.error('and acknowledge it with: npm run api -- --accept');
  process.exitCode = 1;
}

/** @returns whether the report is as it was, or was written */
function report(name) {
  const [folder, entry] = entries[name];
  const path = join(root, folder);
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(path, 'package.json'),
    configObject: {
      projectFolder: path,
      mainEntryPointFilePath: join(path, entry),
      compiler: { overrideTsconfig: compilerOptions(join(path, entry)), skipLibCheck: true },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(root, 'test/api-reports'),
        reportTempFolder: join(root, 'reports/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, { localBuild: accepts, messageCallback: quiet });
  if (apiReportChanged) console.log(`${name}: ${accepts ? 'written' : 'changed'}, see reports/api/${name}.api.md`);
  return accepts || !apiReportChanged;
}

function compilerOptions(file) {
  return {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      module: 'node16',
      moduleResolution: 'node16',
      strict: true,
      skipLibCheck: true,
      experimentalDecorators: true,
      types: ['node'],
    },
    files: [file],
  };
}

/** Errors are shown; that a report has changed is said once, above. */
function quiet(message) {
  if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
}
