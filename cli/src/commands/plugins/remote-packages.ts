import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { createPlatformCaller, type PlatformRequest } from '@gantry/client/platform';
import type { Failure, Success } from '@gantry/contracts';
import { isVersionText, parseSource } from '@gantry/host';
import { interruptible } from '../../common/interruption';
import { UsageError } from '../../common/usage-error';
import type { CommandContext } from '../../context/command-context';
import { fetchFrom, refusalOf } from '../../context/running-platform';
import type { PackagePlace, Wanted } from './package-place';
import type { ChangeAnswer } from './until-changed';

/** On a platform of another machine, which fetches packages itself and takes tarballs: once to check, and again to install. */
export function openRemotePlace(context: CommandContext, address: string): PackagePlace {
  return async (wanted) => {
    const content = contentOf(wanted);
    const answer = await interruptible('Nothing was changed.', (signal) =>
      send(wanted, content, { check: true }, { context, address, signal }),
    );
    if ('newest' in answer) return answer;
    const { package: found, report } = answer;
    if (found === undefined || report === undefined) throw new Error('the answer has no package');
    return {
      ...found,
      report,
      apply: async (enabled) => {
        const flags = enabled ? {} : { disabled: true };
        const sending = { context, address, signal: AbortSignal.timeout(timeoutMs) };
        const applied = await send(wanted, checkedContent(content, found), flags, sending);
        return 'newest' in applied ? { takesEffect: 'at-once', change: null } : applied;
      },
    };
  };
}

/** The platform has five minutes to fetch a package, and checks it then. */
const timeoutMs = 7 * 60_000;

interface Sending {
  readonly context: CommandContext;
  readonly address: string;
  readonly isChange: boolean;
  readonly signal: AbortSignal;
}

/** The answer, or the version that is installed already. */
const call = createPlatformCaller<Sending>(async (method, path, body, { context, address, ...sending }, file) => {
  const sent = file ?? { mediaType: 'application/json', content: JSON.stringify(body) };
  const { mediaType, content } = sent;
  const response = await fetchFrom(context, address, path, { method, mediaType, body: content, ...sending });
  const answer = (await response.json().catch(() => ({}))) as Partial<Failure & Success<ChangeAnswer>>;
  if (response.ok && answer.data !== undefined) return answer;
  const upToDate = answer.error?.details?.find(({ code }) => code === 'UP_TO_DATE');
  if (upToDate !== undefined) return { data: { newest: upToDate.path } };
  throw refusalOf(response.status, answer);
});

async function send(
  wanted: Wanted,
  { query, ...content }: Content,
  flags: { readonly check?: boolean; readonly disabled?: boolean },
  sending: Omit<Sending, 'isChange'>,
): Promise<ChangeAnswer | { readonly newest: string }> {
  const options = { ...sending, isChange: flags.check === undefined };
  const brought = 'content' in content ? { file: { mediaType: gzip, content: content.content() } } : content;
  const request = { ...brought, query: { ...flags, ...query } };
  const { data } = await (wanted.action === 'install'
    ? call('POST', '/api/platform/plugins/install', request as InstallRequest, options)
    : call('POST', '/api/platform/plugins/{id}/upgrade', { ...request, path: { id: wanted.plugin } }, options));
  return data;
}

type InstallRequest = PlatformRequest<'POST', '/api/platform/plugins/install'>;

const gzip = 'application/gzip' as const;

type PackageBody = { readonly package?: string; readonly version?: string };

/** A package by its name, or a tarball, which is read once for each request. */
type Content = { readonly query?: { readonly name: string } } & (
  | { readonly body: PackageBody }
  | { readonly content: () => unknown }
);

/** Request for the version that was checked: a newer one may have been published meanwhile. */
function checkedContent(
  content: Content,
  { installed: { source, packageName, version } }: NonNullable<ChangeAnswer['package']>,
): Content {
  return source === 'registry' ? { body: { package: packageName, version } } : content;
}

function contentOf(wanted: Wanted): Content {
  if (wanted.action === 'install') return sourceContent(wanted.source);
  const { to } = wanted;
  if (to === undefined) return { body: {} };
  return isVersionText(to) && parseSource(to).kind === 'id' ? { body: { version: to } } : sourceContent(to);
}

function sourceContent(word: string): Content {
  const source = parseSource(word);
  if (source.kind === 'npm') {
    const at = source.spec.indexOf('@', 1);
    if (at === -1) return { body: { package: source.spec } };
    return { body: { package: source.spec.slice(0, at), version: source.spec.slice(at + 1) } };
  }
  if (source.kind === 'path' && statSync(word).isFile()) {
    const name = basename(word)
      .replaceAll(/[^\w@. +-]/g, '_')
      .slice(-200);
    return { content: () => createReadStream(word), query: { name } };
  }
  throw new UsageError(`With --url, "${word}" must be a tarball, or a package with a version: npm:${word}@1.2.0.`);
}
