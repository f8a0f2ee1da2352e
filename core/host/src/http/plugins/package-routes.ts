import type { IncomingMessage } from 'node:http';
import type { DetailCode } from '@gantry/contracts';
import { GantryError, invalidParameter } from '@gantry/plugin-api';
import type { Request, RequestHandler, Response } from 'express';
import { valid } from 'semver';
import type { PackageFetcher, PackageRequest } from '../../change/fetch-packages';
import type { PackageChanges } from '../../change/package-changes';
import type { PluginChangeAnswer } from '../../change/plugin-change-answer';
import { isJsonObject } from '../../common/json';
import { isPackageName } from '../../common/package-name';
import type { Principal } from '../../identity';
import type { ReadJson } from '../exchange/body';
import type { HidePaths } from '../exchange/hide-paths';
import { assertIsAdministrator, assertLasting, assertPresent, principalOf } from '../exchange/principal';
import { parseQuery } from '../exchange/query';
import { addPath, type Routes } from '../exchange/routes';
import { sendData } from '../exchange/send';
import { createSharedResource, sharedResources } from '../exchange/shared-resource';
import { openUpload } from '../exchange/upload';

export interface PackageRouteDependencies {
  readonly packages: PackageChanges;
  readonly fetcher: PackageFetcher;
  /** Whether requests may choose packages; otherwise only commands on the home do. */
  readonly mayFetch: boolean;
  readonly readJson: ReadJson;
  readonly hidePaths: HidePaths;
  /** Reads the rights of the caller again. @throws GantryError UNAUTHENTICATED, FORBIDDEN */
  readonly confirm: (request: IncomingMessage) => Promise<void>;
  /** Notes in the audit log what the caller of a request did. */
  readonly record: (
    request: IncomingMessage,
    action: string,
    subject: string,
    detail?: Readonly<Record<string, string>>,
  ) => Promise<void>;
}

/** Of a tarball that is the body of a request. */
const maxTarballBytes = 100 * 2 ** 20;

const tarballTypes = ['application/gzip', 'application/x-gzip', 'application/octet-stream'];

type IdRequest = Request<{ readonly id: string }>;

/** Packages of plugins: fetched and checked by one request, installed by another one. */
export function packageRoutes(dependencies: PackageRouteDependencies): Routes {
  const { packages, readJson } = dependencies;
  const checks = createSharedResource(sharedResources.checks);
  return (app) => {
    const post = (path: string, names: readonly string[], handler: Handler, access: Access): void => {
      const { assertMay, isLasting } = access;
      const guarded: RequestHandler<{ readonly id: string }> = async (request, response) => {
        assertMay(principalOf(request));
        parseQuery(request, names);
        await handler(request, response);
      };
      addPath(app, path, { post: guarded }, isLasting ? ['post'] : []);
    };
    post(
      '/api/platform/plugin-packages',
      ['name'],
      async (request, response) => {
        send(dependencies, response, 201, await checks.run(request, () => fetchFor(dependencies, request, response)));
      },
      bringing,
    );
    post(
      '/api/platform/plugin-packages/:id/check',
      [],
      async (request, response) => {
        assertMembers(bodyOf(await readJson(request, response)), []);
        send(dependencies, response, 200, await checks.run(request, () => packages.check(request.params.id)));
      },
      { ...bringing, isLasting: false },
    );
    for (const change of changes) {
      const path = `/api/platform/plugins/:id/${change.name}`;
      post(path, [], handlerOf(change, dependencies), change);
    }
  };
}

/**
 * Code of a package can do everything, also make an administrator: of API tokens, only one that may do that brings it. What a
 * token may do does not change while a request runs; its rights are read again by `confirm`.
 * @throws GantryError FORBIDDEN
 */
function assertBringsCode(principal: Principal): void {
  assertIsAdministrator(principal.rights);
  assertLasting(principal);
}

interface Access {
  /** @throws GantryError FORBIDDEN */
  readonly assertMay: (principal: Principal) => void;
  /** Whether it needs a proof of presence. */
  readonly isLasting: boolean;
}

const bringing: Access = { assertMay: assertBringsCode, isLasting: true };

interface Change extends Access {
  readonly name: 'install' | 'upgrade' | 'uninstall';
  /** In the audit log. */
  readonly event: string;
  /** Members of its body. */
  readonly members: readonly string[];
  make(packages: PackageChanges, id: string, body: Body): Promise<PluginChangeAnswer>;
}

const changes: readonly Change[] = [
  {
    ...bringing,
    ...{ name: 'install', event: 'plugin-installed', members: ['package', 'enabled'] },
    make: (packages, id, body) => packages.install(id, packageOf(body), booleanOf(body, 'enabled', true)),
  },
  {
    ...bringing,
    ...{ name: 'upgrade', event: 'plugin-upgraded', members: ['package'] },
    make: (packages, id, body) => packages.upgrade(id, packageOf(body)),
  },
  {
    ...{
      name: 'uninstall',
      event: 'plugin-uninstalled',
      assertMay: ({ rights }) => assertIsAdministrator(rights),
      isLasting: false,
      members: ['disable'],
    },
    make: (packages, id, body) => packages.uninstall(id, booleanOf(body, 'disable', false)),
  },
];

function handlerOf({ event, members, make }: Change, dependencies: PackageRouteDependencies): Handler {
  const { packages, readJson, confirm, record } = dependencies;
  return async (request, response) => {
    const { id } = request.params;
    const body = bodyOf(await readJson(request, response));
    assertMembers(body, members);
    await confirm(request);
    const answer = await make(packages, id, body);
    const version = answer.report?.version;
    if (answer.change !== null) {
      await record(request, event, `plugin:${id}`, version === undefined ? {} : { version });
    }
    send(dependencies, response, answer.change?.phase === 'waiting' ? 202 : 200, answer);
  };
}

function send(
  { hidePaths }: Pick<PackageRouteDependencies, 'hidePaths'>,
  response: Response,
  status: number,
  data: object,
): void {
  sendData(response, status, hidePaths(JSON.stringify(data)));
}

type Handler = (request: IdRequest, response: Response) => Promise<void>;

async function fetchFor(
  { fetcher, mayFetch, readJson, confirm }: PackageRouteDependencies,
  request: IdRequest,
  response: Response,
): Promise<object> {
  if (!mayFetch) {
    throw new GantryError(
      'FORBIDDEN',
      'This platform takes no packages over HTTP (GANTRY_PACKAGES_OVER_HTTP=refuse). Install on its machine: gantry plugins install.',
    );
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('The client closed the connection.')));
  await assertPresent(request);
  const isTarball = tarballTypes.includes(
    request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '',
  );
  const confirmCaller = (): Promise<void> => confirm(request);
  const wanted = isTarball ? tarballOf(request, confirmCaller) : readPackageRequest(await readJson(request, response));
  if (!isTarball) await confirmCaller();
  const { login, name } = principalOf(request);
  return fetcher.fetch(wanted, login || name, gone.signal);
}

function tarballOf(request: IdRequest, confirmCaller: () => Promise<void>): PackageRequest {
  const { name = 'package.tgz' } = parseQuery(request, ['name']);
  if (typeof name !== 'string' || !/^[\w@. +-]{1,200}$/.test(name)) {
    throw invalidParameter(
      'name',
      'name must be the name of a file, of letters, digits and . _ - + @',
      'PATTERN' satisfies DetailCode,
    );
  }
  const { bytes } = openUpload(request, { mediaTypes: tarballTypes, limit: maxTarballBytes });
  return { kind: 'tarball', name, bytes: confirmedAtEnd(bytes, confirmCaller) };
}

/** The bytes end only for a caller who may still send them: an upload takes time. */
async function* confirmedAtEnd(
  bytes: AsyncIterable<Uint8Array>,
  confirmCaller: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bytes;
  await confirmCaller();
}

/** @throws GantryError BAD_REQUEST */
export function readPackageRequest(given: unknown): PackageRequest {
  const body = bodyOf(given);
  const { package: name, plugin } = body;
  const version = versionOf(body);
  if (plugin === undefined && typeof name === 'string' && isPackageName(name)) {
    assertMembers(body, ['package', 'version']);
    return { kind: 'package', name, version: version ?? 'latest' };
  }
  if (name === undefined && typeof plugin === 'string' && /^[a-z][a-z0-9-]{1,39}$/.test(plugin)) {
    assertMembers(body, ['plugin', 'version']);
    return { kind: 'upgrade', plugin, version };
  }
  throw new GantryError(
    'BAD_REQUEST',
    'The body must be a tarball (application/gzip), { "package": "name of a package in the registry", "version": "1.2.0" } or, to upgrade a plugin, { "plugin": "its id", "version": "1.2.0" }; without a version, the newest one is meant.',
  );
}

/** One version: a range or a tag would say nothing about what is installed. */
function versionOf({ version }: Body): string | undefined {
  if (version === undefined) return undefined;
  if (typeof version === 'string' && valid(version) === version) return version;
  throw new GantryError('BAD_REQUEST', 'version must be one version, such as 1.2.0.');
}

type Body = Readonly<Record<string, unknown>>;

function bodyOf(body: unknown): Body {
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  throw new GantryError('BAD_REQUEST', 'The body must be an object.');
}

function assertMembers(body: Body, known: readonly string[]): void {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other === undefined) return;
  const expected = known.length === 0 ? 'none' : known.join(', ');
  throw new GantryError('BAD_REQUEST', `The body has an unknown member; expected: ${expected}.`);
}

function packageOf({ package: id }: Body): string {
  if (typeof id === 'string') return id;
  throw new GantryError(
    'BAD_REQUEST',
    'package must be the id of a package that /api/platform/plugin-packages has given.',
  );
}

function booleanOf(body: Body, name: string, otherwise: boolean): boolean {
  const value = body[name] ?? otherwise;
  if (typeof value === 'boolean') return value;
  throw new GantryError('BAD_REQUEST', `${name} must be true or false.`);
}
