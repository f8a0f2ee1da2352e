import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The functions of a generated client by the names of their operations. */
export type ForeignClient = Readonly<
  Record<string, (call: object) => Promise<{ readonly data?: unknown; readonly error?: unknown }>>
>;

const root = join(__dirname, '../..');

/** It needs the compiler as a library, which TypeScript 7 does not have: another version is given to it. */
const hooks = `export const resolve = (name, context, next) =>
  next(name === 'typescript' ? ${JSON.stringify(`file://${join(root, 'node_modules/typescript-5/lib/typescript.js')}`)} : name, context);`;
const loader = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hooks))});`;

/** Generates a client from an OpenAPI document with @hey-api/openapi-ts, and loads it. */
export async function openForeignClient(document: object, address: string): Promise<ForeignClient> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-client-'));
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    const plugins = ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'];
    const program = join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await promisify(execFile)(process.execPath, [program, '-i', 'openapi.json', '-o', 'out', '-p', ...plugins], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: `--import=${asModule(loader)}` },
    });
    const { client } = (await import(join(folder, 'out/client.gen'))) as { client: { setConfig(to: object): void } };
    client.setConfig({ baseUrl: address });
    return (await import(join(folder, 'out/sdk.gen'))) as ForeignClient;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function asModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}
