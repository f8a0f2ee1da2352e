import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PluginError } from '@gantry/core-loader';
import { runNpm, type NpmRun } from './run-npm';
import type { SourceOptions } from './source-options';

const timeoutMs = 2 * 60_000;

/** Options with which npm gives up within seconds and fetches only the named package. */
export const quietFlags = [
  ...['--ignore-scripts', '--json', '--no-audit', '--no-fund', '--no-update-notifier'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000'],
];

/**
 * Fetches the tarball of a package from the registry, as the settings of npm name it.
 * @param spec name, with a version, range or tag where one was given
 * @returns the file
 * @throws PluginError PLUGIN_NOT_FETCHED
 */
export async function fetchPackage(
  spec: string,
  folder: string,
  { project, environment, signal }: SourceOptions,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const run = await runNpm(['pack', spec, '--pack-destination', folder, '--prefer-online', ...quietFlags], {
    cwd: project,
    environment,
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
  });
  const [file] = await readdir(folder);
  if (run.exitCode === 0 && file !== undefined) return join(folder, file);
  throw npmFailed(`${spec} was not fetched`, run);
}

const failureSchema = z.object({
  error: z.object({ code: z.string().nullish(), summary: z.string().nullish() }),
});

/** Errors of npm, each with a remedy. */
export function npmFailed(what: string, { timedOut, exitCode, stdout, output }: NpmRun): PluginError {
  const { code, summary } = reported(stdout);
  const lines = output.split('\n').filter((line) => /^npm (error|ERR!)/.test(line));
  const reason = timedOut
    ? 'npm did not finish in time'
    : (summary ?? (lines.join('; ') || `npm ended with ${exitCode ?? 'a signal'}`));
  const message = `${what}: ${reason.trim().replaceAll(/\s*\n\s*/g, ' ')}`;
  return new PluginError('PLUGIN_NOT_FETCHED', message, remedyOf(code ?? '', timedOut));
}

function reported(stdout: string): { readonly code?: string | undefined; readonly summary?: string | undefined } {
  try {
    // Warnings may come before it.
    const { error } = failureSchema.parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
    return { code: error.code ?? undefined, summary: error.summary || undefined };
  } catch {
    return {};
  }
}

function remedyOf(code: string, timedOut: boolean): string {
  if (code === 'E404') return 'Check the name, and the registry that npm uses: npm config get registry';
  if (code === 'ETARGET') return 'Choose a published version: npm view <name> versions';
  if (/^E(401|403|NEEDAUTH)$/.test(code)) return 'Sign in to the registry: npm login';
  if (timedOut || /^(ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET|FETCH_ERROR)/.test(code)) {
    return 'The registry cannot be reached. Check the network, or check a tarball or a folder instead';
  }
  return 'Try npm itself: npm pack <name>';
}
