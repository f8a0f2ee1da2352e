import { readFile } from 'node:fs/promises';
import { codeOf } from '@gantry/core-common';
import { readPipConfiguration, type PipConfiguration, type PipOption } from './pip-configuration';

type Environment = Readonly<NodeJS.ProcessEnv>;

/** The index that pip uses unless another one is configured. */
const defaultIndex = 'https://pypi.org/simple';

/** An address, and the setting that names it. */
export interface NamedUrl {
  readonly url: URL;
  readonly source: string;
}

/** pip's settings about indexes and connections. */
export interface IndexSettings {
  /** Addresses of indexes as they are configured, in the order in which they are asked. */
  readonly indexes: readonly PipOption[];
  /** Pages and folders with links or files, as they are configured. */
  readonly findLinks: readonly PipOption[];
  /** The setting that forbids indexes, if there is one. */
  readonly noIndexSource: string | undefined;
  readonly proxy: NamedUrl | undefined;
  /** Hosts that are reached without the proxy, with commas between them. */
  readonly noProxy: string;
  readonly tls: TlsSettings;
  /** The setting that says which hosts need no certificate, which is not followed here. */
  readonly trustedHostSource: string | undefined;
}

export interface TlsSettings {
  /** Certificates of authorities instead of those of Node.js, in the PEM format. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** @throws Error that names a setting which cannot be followed */
export async function readIndexSettings(environment: Environment): Promise<IndexSettings> {
  const pip = await readPipConfiguration(environment);
  const noIndex = pip.get('no-index');
  const isForbidden = noIndex !== undefined && isYes(noIndex.text);
  return {
    indexes: isForbidden ? [] : indexesOf(pip),
    findLinks: wordsOf(pip.get('find-links')),
    noIndexSource: isForbidden ? noIndex.source : undefined,
    ...proxyOf(pip, environment),
    tls: await readTls(pip, environment),
    trustedHostSource: pip.get('trusted-host')?.source,
  };
}

function isYes(text: string): boolean {
  return ['y', 'yes', 't', 'true', 'on', '1'].includes(text.toLowerCase());
}

function indexesOf(pip: PipConfiguration): readonly PipOption[] {
  return [pip.get('index-url') ?? { text: defaultIndex, source: 'pip' }, ...wordsOf(pip.get('extra-index-url'))];
}

/** An option with several values has them with spaces between them. */
function wordsOf(option: PipOption | undefined): readonly PipOption[] {
  return option?.text.split(/\s+/).map((text) => ({ text, source: option.source })) ?? [];
}

function proxyOf(pip: PipConfiguration, environment: Environment): Pick<IndexSettings, 'proxy' | 'noProxy'> {
  const configured = pip.get('proxy');
  // As in pip, exceptions in the environment do not apply to a proxy of its configuration.
  if (configured !== undefined) return { proxy: proxyUrl(configured.text, configured.source), noProxy: '' };
  const source = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].find((name) => environment[name]);
  return {
    proxy: source === undefined ? undefined : proxyUrl(environment[source] ?? '', source),
    noProxy: environment['no_proxy'] || environment['NO_PROXY'] || '',
  };
}

function proxyUrl(text: string, source: string): NamedUrl {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return { url, source };
  throw new Error(`the proxy in ${source} has no address such as http://proxy.example:3128; correct it`);
}

/** pip's own settings first, then those that the libraries read with which pip makes connections. */
async function readTls(pip: PipConfiguration, environment: Environment): Promise<TlsSettings> {
  const [authorities, client] = [pip.get('cert') ?? authoritiesOf(environment), pip.get('client-cert')];
  const ca = authorities && (await readPem(authorities.text, authorities.source));
  const own = client && (await readPem(client.text, client.source));
  return { ...(ca === undefined ? {} : { ca }), ...(own === undefined ? {} : { cert: own, key: own }) };
}

function authoritiesOf(environment: Environment) {
  const source = ['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'SSL_CERT_FILE'].find((name) => environment[name]);
  return source === undefined ? undefined : { text: environment[source] ?? '', source };
}

async function readPem(file: string, source: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const remedy = 'name a file in the PEM format';
    throw new Error(`the certificates that ${source} names cannot be read (${codeOf(cause) ?? ''}); ${remedy}`, {
      cause,
    });
  }
}
