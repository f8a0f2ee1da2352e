import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useTestHost, type TestHost } from '../../../../test/support/platform';
import { send, type Answer } from '../../../../test/support/rest-client';

/** A host with the images, whose folders a test can look into. */
export interface MediaHost {
  readonly host: TestHost;
  /** Names of the files below a folder of the plugin. */
  filesIn(folder: 'incoming' | 'originals' | 'variants'): readonly string[];
  pathOf(folder: 'incoming' | 'originals' | 'variants'): string;
  upload(body: Buffer, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export function useMediaHost(
  environment: Readonly<Record<string, string>> = {},
  plugins: readonly string[] = ['plugins/media'],
): MediaHost {
  // By this name the next test run clears away what a killed one has left (test/support/global-setup.cjs).
  const home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  const pathOf = (folder: string): string => join(home, 'data', 'media', folder);
  const host = useTestHost({ plugins, environment: { GANTRY_HOME: home, ...environment } });
  beforeAll(() => mkdirSync(home, { recursive: true }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return {
    host,
    pathOf,
    filesIn: (folder) =>
      readdirSync(pathOf(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    upload: (body, headers = { 'content-type': 'application/octet-stream' }) =>
      send(host.address, '/media/images', { method: 'POST', headers, body }),
  };
}
