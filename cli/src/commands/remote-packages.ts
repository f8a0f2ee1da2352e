import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Failure, PluginPackage, Success } from '@gantry/contracts';
import { isVersionText, parseSource } from '@gantry/host';
import { interruptible } from '../common/interruption';
import { noAnswer } from '../common/no-answer';
import { UsageError } from '../common/usage-error';
import type { CommandContext } from '../context/command-context';
import { credentialsFor } from '../context/credentials';
import { refusalOf } from '../context/running-platform';
import { requestChange, type FetchedPackage, type PackagePlace, type Wanted } from './local-packages';

/** On a platform of another machine, which fetches packages itself and takes tarballs. */
export function openRemotePlace(context: CommandContext, address: string): PackagePlace {
  const fetched = new Map<string, PluginPackage>();
  return {
    async fetch(wanted) {
      const found = await interruptible('Nothing was changed.', (signal) => send(context, address, wanted, signal));
      if ('newest' in found) return found;
      fetched.set(found.id, found);
      return found;
    },
    check: async ({ id }) => {
      const found = fetched.get(id);
      if (found === undefined) throw new Error(`the package ${id} was not fetched`);
      return found.report;
    },
    apply: (action, one, enabled) => requestChange(context, address, action, one, enabled),
    // The platform removes it after a while.
    forget: async (_one: FetchedPackage) => {},
  };
}

async function send(
  context: CommandContext,
  address: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<PluginPackage | { readonly newest: string }> {
  const { query, ...content } = contentOf(wanted);
  const target = new URL('/api/platform/plugin-packages', address);
  target.search = query === undefined ? '' : new URLSearchParams(query).toString();
  const headers = { ...credentialsFor(context, address), 'content-type': content.mediaType };
  let response: Response;
  try {
    response = await fetch(target, {
      method: 'POST',
      headers,
      body: content.body,
      duplex: 'half',
      signal,
    } as RequestInit);
  } catch (error) {
    signal.throwIfAborted();
    throw noAnswer(address, { error, isChange: false });
  }
  const answer = (await response.json().catch(() => ({}))) as Partial<Failure & Success<PluginPackage>>;
  if (response.ok && answer.data !== undefined) return answer.data;
  const upToDate = answer.error?.details?.find(({ code }) => code === 'UP_TO_DATE');
  if (upToDate !== undefined) return { newest: upToDate.path };
  throw refusalOf(response.status, answer);
}

interface Content {
  readonly mediaType: string;
  readonly body: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

function contentOf(wanted: Wanted): Content {
  if (wanted.action === 'install') return sourceContent(wanted.source);
  const { plugin, to } = wanted;
  if (to === undefined) return json({ plugin });
  return isVersionText(to) && parseSource(to).kind === 'id' ? json({ plugin, version: to }) : sourceContent(to);
}

function sourceContent(word: string): Content {
  const source = parseSource(word);
  if (source.kind === 'npm') {
    const at = source.spec.indexOf('@', 1);
    return json(
      at === -1 ? { package: source.spec } : { package: source.spec.slice(0, at), version: source.spec.slice(at + 1) },
    );
  }
  if (source.kind === 'path' && statSync(word).isFile()) {
    const name = basename(word)
      .replaceAll(/[^\w@. +-]/g, '_')
      .slice(-200);
    return { mediaType: 'application/gzip', body: createReadStream(word), query: { name } };
  }
  throw new UsageError(`With --url, "${word}" must be a tarball, or a package with a version: npm:${word}@1.2.0.`);
}

function json(body: object): Content {
  return { mediaType: 'application/json', body: JSON.stringify(body) };
}
