import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useTestHost, type TestHost } from '../../../../test/support/platform';
import { send, type Answer } from '../../../../test/support/rest-client';
import { usualTypes } from '../../src/stored-files/file-types';

/** A host with the images, whose folders a test can look into. */
export interface MediaHost {
  readonly host: TestHost;
  /** Names of the files below a folder of the plugin. */
  filesIn(folder: 'incoming' | 'originals' | 'variants'): readonly string[];
  pathOf(folder: 'incoming' | 'originals' | 'variants'): string;
  /** Removes all images and files. */
  empty(): void;
  upload(body: Buffer, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** The limits of the host, which are lower than usual ones. */
export const maxBytes = 2_000_000;
export const maxFileBytes = 100_000;

const settings = {
  GANTRY_MEDIA_MAX_BYTES: String(maxBytes),
  GANTRY_MEDIA_FILE_MAX_BYTES: String(maxFileBytes),
  GANTRY_MEDIA_FILE_TYPES: `${usualTypes.join(',')},text/html,image/svg+xml`,
};

export function useMediaHost(): MediaHost {
  // By this name the next test run clears away what a killed one has left (test/support/global-setup.cjs).
  const home = mkdtempSync(join(tmpdir(), `gantry-test-run-${process.pid}-`));
  const pathOf = (folder: string): string => join(home, 'data', 'media', folder);
  const plugins = ['plugins/media', 'plugins/media/test/fixtures/scans'];
  const host = useTestHost({ plugins, environment: { GANTRY_HOME: home, ...settings } });
  beforeAll(() => mkdirSync(home, { recursive: true }));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return {
    host,
    pathOf,
    filesIn: (folder) =>
      readdirSync(pathOf(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    empty() {
      for (const folder of ['originals', 'variants']) rmSync(pathOf(folder), { recursive: true, force: true });
    },
    upload: (body, headers = { 'content-type': 'application/octet-stream' }) =>
      send(host.address, '/media/images', { method: 'POST', headers, body }),
  };
}
