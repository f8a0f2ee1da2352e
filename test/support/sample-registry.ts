import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { pack, type Headers } from 'tar-stream';

/** A file of a tarball: its text, or another kind of entry. */
export type PackedFiles = Readonly<Record<string, string | Partial<Headers>>>;

/** A tarball with these entries, by their whole path. */
export async function createTarball(files: PackedFiles): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') archive.entry({ name }, content);
    else archive.entry({ name, ...content });
  }
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** The beginning of a tarball, with the header of one file of this size. */
export async function createHugeTarball(size: number): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: 'package/huge.bin', size });
  const [header] = (await once(archive, 'readable').then(() => [archive.read()])) as [Buffer];
  archive.destroy();
  return gzipSync(header);
}

/** The package.json of a plugin that is sound. */
export function sampleManifest(id: string, more: object = {}) {
  return {
    name: `@acme/${id}`,
    version: '1.2.0',
    main: './index.js',
    peerDependencies: { '@gantry/plugin-api': '^1.0.0' },
    gantry: { manifestVersion: 1, id, displayName: `Sample ${id}` },
    ...more,
  };
}

/** The same as the files of a tarball. */
export function samplePackage(id: string, more: object = {}): PackedFiles {
  return {
    'package/package.json': JSON.stringify(sampleManifest(id, more)),
    'package/index.js': `module.exports = require('@gantry/plugin-api').definePlugin({ id: '${id}' });`,
  };
}

/** With which npm uses the registry, and keeps what it fetches below a folder. */
export function npmEnvironment({ url }: SampleRegistry, folder: string): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    npm_config_registry: url,
    npm_config_cache: join(folder, 'npm-cache'),
  };
}

/** A registry of npm with a few packages, at an address of this machine. */
export interface SampleRegistry {
  readonly url: string;
  /** Paths that were asked for. */
  readonly requests: readonly string[];
  /** Adds a version, which is the latest one then. @returns its integrity */
  publish(manifest: { readonly name: string; readonly version: string }, files?: PackedFiles): Promise<string>;
  /** Gives another tarball for a version than the one that was published. */
  replaceTarball(name: string, version: string): Promise<void>;
  close(): Promise<void>;
}

export async function openSampleRegistry(): Promise<SampleRegistry> {
  const documents = new Map<string, Buffer | string>();
  const published = new Map<string, Readonly<Record<string, object>>>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    await text(request);
    const found = documents.get(path);
    response.writeHead(found === undefined ? 404 : 200);
    response.end(found ?? '{"error":"not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    async publish(manifest, files = {}) {
      const { name, version } = manifest;
      const tarball = await createTarball({ 'package/package.json': JSON.stringify(manifest), ...files });
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const path = `/-/${name}-${version}.tgz`;
      documents.set(path, tarball);
      const dist = { tarball: `${url}${path}`, integrity };
      const versions = { ...published.get(name), [version]: { ...manifest, dist } };
      published.set(name, versions);
      documents.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
      return integrity;
    },
    async replaceTarball(name, version) {
      documents.set(`/-/${name}-${version}.tgz`, await createTarball({ 'package/package.json': '{"name":"other"}' }));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
