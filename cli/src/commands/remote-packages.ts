import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Failure, Success } from '@gantry/contracts';
import { isVersionText, parseSource } from '@gantry/host';
import { interruptible } from '../common/interruption';
import { noAnswer } from '../common/no-answer';
import { UsageError } from '../common/usage-error';
import type { CommandContext } from '../context/command-context';
import { credentialsFor } from '../context/credentials';
import { refusalOf } from '../context/running-platform';
import type { PackagePlace, Wanted } from './package-place';
import type { ChangeAnswer } from './until-changed';

/** On a platform of another machine, which fetches packages itself and takes tarballs: once to check, and again to install. */
export function openRemotePlace(context: CommandContext, address: string): PackagePlace {
  return async (wanted) => {
    const content = contentOf(wanted);
    const answer = await interruptible('Nothing was changed.', (signal) =>
      send(context, address, wanted, { content, flags: { check: 'true' }, signal }),
    );
    if ('newest' in answer) return answer;
    const { package: found, report } = answer;
    if (found === undefined || report === undefined) throw new Error('the answer has no package');
    return {
      ...found,
      report,
      apply: async (enabled) => {
        const flags: Readonly<Record<string, string>> = enabled ? {} : { disabled: 'true' };
        const signal = AbortSignal.timeout(timeoutMs);
        const applied = await send(context, address, wanted, {
          content: checkedContent(content, found),
          flags,
          signal,
        });
        return 'newest' in applied ? { takesEffect: 'at-once', change: null } : applied;
      },
    };
  };
}

/** The platform has five minutes to fetch a package, and checks it then. */
const timeoutMs = 7 * 60_000;

interface Sent {
  readonly content: Content;
  readonly flags: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function send(
  context: CommandContext,
  address: string,
  wanted: Wanted,
  { content, flags, signal }: Sent,
): Promise<ChangeAnswer | { readonly newest: string }> {
  const target = new URL(routeOf(wanted, { ...flags, ...content.query }), address);
  const headers = { ...credentialsFor(context, address), 'content-type': content.mediaType };
  let response: Response;
  try {
    response = await fetch(target, {
      method: 'POST',
      headers,
      body: content.body(),
      duplex: 'half',
      signal,
    } as RequestInit);
  } catch (error) {
    signal.throwIfAborted();
    throw noAnswer(address, { error, isChange: flags['check'] === undefined });
  }
  const answer = (await response.json().catch(() => ({}))) as Partial<Failure & Success<ChangeAnswer>>;
  if (response.ok && answer.data !== undefined) return answer.data;
  const upToDate = answer.error?.details?.find(({ code }) => code === 'UP_TO_DATE');
  if (upToDate !== undefined) return { newest: upToDate.path };
  throw refusalOf(response.status, answer);
}

/** The path of the route, with what is asked of it. */
function routeOf(wanted: Wanted, flags: Readonly<Record<string, string>>): string {
  const target = wanted.action === 'install' ? 'install' : `${encodeURIComponent(wanted.plugin)}/upgrade`;
  return `/api/platform/plugins/${target}?${new URLSearchParams(flags).toString()}`;
}

interface Content {
  readonly mediaType: string;
  /** Is read once for each request. */
  readonly body: () => unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** Request for the version that was checked: a newer one may have been published meanwhile. */
function checkedContent(
  content: Content,
  { installed: { source, packageName, version } }: NonNullable<ChangeAnswer['package']>,
): Content {
  return source === 'registry' ? json({ package: packageName, version }) : content;
}

function contentOf(wanted: Wanted): Content {
  if (wanted.action === 'install') return sourceContent(wanted.source);
  const { to } = wanted;
  if (to === undefined) return json({});
  return isVersionText(to) && parseSource(to).kind === 'id' ? json({ version: to }) : sourceContent(to);
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
    return { mediaType: 'application/gzip', body: () => createReadStream(word), query: { name } };
  }
  throw new UsageError(`With --url, "${word}" must be a tarball, or a package with a version: npm:${word}@1.2.0.`);
}

function json(body: object): Content {
  return { mediaType: 'application/json', body: () => JSON.stringify(body) };
}
