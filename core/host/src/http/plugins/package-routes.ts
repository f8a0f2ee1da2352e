import type { IncomingMessage } from 'node:http';
import type { DetailCode, InstalledPackage } from '@gantry/contracts';
import { installedSchema } from '@gantry/core-supervisor/child';
import { GantryError, invalidParameter } from '@gantry/plugin-api';
import type { Request, RequestHandler, Response } from 'express';
import { valid } from 'semver';
import { z } from 'zod';
import type { PackageChanges, PackageChoices, PackageRequest } from '../../change/package-changes';
import type { PluginChangeAnswer } from '../../change/plugin-change-answer';
import { isJsonObject } from '../../common/json';
import { isPackageName } from '../../common/package-name';
import { parseFlag } from '../../content/query/parameters';
import { isSameText, type Principal } from '../../identity';
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
  /** Whether requests may choose packages; otherwise only commands on the home do. */
  readonly takesPackages: boolean;
  /** With which commands on the home prove that they are. */
  readonly localToken: string;
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

/** Packages of plugins: installed, upgraded and uninstalled, each by one request. */
export function packageRoutes(dependencies: PackageRouteDependencies): Routes {
  const { packages } = dependencies;
  const checks = createSharedResource(sharedResources.checks);
  return (app) => {
    const bringing = (path: string, { isUpgrade, event, change }: Bringing): void => {
      const handler: RequestHandler<{ readonly id: string }> = async (request, response) => {
        const principal = principalOf(request);
        assertBringsCode(principal);
        const query = parseQuery(request, ['name', 'check', ...(isUpgrade ? [] : ['disabled'])]);
        const isCheck = parseFlag('check', query['check']);
        const isEnabled = !parseFlag('disabled', query['disabled']);
        const gone = new AbortController();
        response.once('close', () => gone.abort(new Error('The client closed the connection.')));
        await assertPresent(request);
        const wanted = await readWanted(dependencies, request, response, { isUpgrade, query });
        const by = principal.login || principal.name;
        const choices = { isCheck, by, confirm: () => dependencies.confirm(request), signal: gone.signal };
        const make = (): Promise<PluginChangeAnswer> => change(request.params.id, wanted, isEnabled, choices);
        const answer = isCheck ? await checks.run(request, make) : await make();
        await recordBrought(dependencies, request, event, answer);
        send(dependencies, response, answer);
      };
      addPath(app, path, { post: handler }, ['post']);
    };
    bringing('/api/platform/plugins/install', {
      ...{ isUpgrade: false, event: 'plugin-installed' },
      change: (_id, wanted, isEnabled, choices) => packages.install(wanted, isEnabled, choices),
    });
    bringing('/api/platform/plugins/:id/upgrade', {
      ...{ isUpgrade: true, event: 'plugin-upgraded' },
      change: (id, wanted, _isEnabled, choices) => packages.upgrade(id, wanted, choices),
    });
    addPath<{ readonly id: string }>(app, '/api/platform/plugins/:id/uninstall', {
      post: (request, response) => uninstall(dependencies, request, response),
    });
  };
}

interface Bringing {
  /** Whether it may leave out the name of the package. */
  readonly isUpgrade: boolean;
  /** In the audit log. */
  readonly event: string;
  readonly change: (
    id: string,
    wanted: PackageRequest,
    isEnabled: boolean,
    choices: PackageChoices,
  ) => Promise<PluginChangeAnswer>;
}

/**
 * Code of a package can do everything, also make an administrator: of API tokens, only one that may do that brings it. What a
 * token may do does not change while a request runs; its rights are read again before the change.
 * @throws GantryError FORBIDDEN
 */
function assertBringsCode(principal: Principal): void {
  assertIsAdministrator(principal.rights);
  assertLasting(principal);
}

async function recordBrought(
  { record }: PackageRouteDependencies,
  request: IncomingMessage,
  event: string,
  { change, package: found }: PluginChangeAnswer,
): Promise<void> {
  if (change === null || found === undefined) return;
  await record(request, event, `plugin:${found.plugin}`, { version: found.installed.version });
}

async function uninstall(
  dependencies: PackageRouteDependencies,
  request: IdRequest,
  response: Response,
): Promise<void> {
  const { packages, readJson, confirm, record } = dependencies;
  const { id } = request.params;
  assertIsAdministrator(principalOf(request).rights);
  parseQuery(request, []);
  const body = bodyOf(await readJson(request, response));
  assertMembers(body, ['disable']);
  await confirm(request);
  const answer = await packages.uninstall(id, booleanOf(body, 'disable', false));
  if (answer.change !== null) await record(request, 'plugin-uninstalled', `plugin:${id}`);
  send(dependencies, response, answer);
}

/** 202 for a change that is under way. */
function send(
  { hidePaths }: Pick<PackageRouteDependencies, 'hidePaths'>,
  response: Response,
  answer: PluginChangeAnswer,
): void {
  sendData(response, answer.change?.phase === 'waiting' ? 202 : 200, hidePaths(JSON.stringify(answer)));
}

async function readWanted(
  dependencies: PackageRouteDependencies,
  request: IdRequest,
  response: Response,
  { isUpgrade, query }: { readonly isUpgrade: boolean; readonly query: Readonly<Record<string, string>> },
): Promise<PackageRequest> {
  const { readJson, confirm } = dependencies;
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isTarball = tarballTypes.includes(mediaType);
  if (isTarball) {
    assertTakesPackages(dependencies);
    return tarballOf(request, query['name'] ?? 'package.tgz', () => confirm(request));
  }
  const wanted = readPackageRequest(await readJson(request, response), isUpgrade);
  if (wanted.kind === 'stored') assertOfHome(dependencies, request);
  else assertTakesPackages(dependencies);
  await confirm(request);
  return wanted;
}

function assertTakesPackages({ takesPackages }: PackageRouteDependencies): void {
  if (takesPackages) return;
  throw new GantryError(
    'FORBIDDEN',
    'This platform takes no packages over HTTP (GANTRY_PACKAGES_OVER_HTTP=refuse). Install on its machine: gantry plugins install.',
  );
}

/** Who can write to the home chooses the code that runs; on an open platform, everybody on the machine is an administrator. */
function assertOfHome({ localToken }: PackageRouteDependencies, request: IncomingMessage): void {
  if (isSameText(request.headers.authorization ?? '', `Bearer ${localToken}`)) return;
  throw new GantryError('FORBIDDEN', 'Only a command on the home of the platform may name a package of its store.');
}

function tarballOf(request: IdRequest, name: string, confirmCaller: () => Promise<void>): PackageRequest {
  if (!/^[\w@. +-]{1,200}$/.test(name)) {
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

/**
 * @param isUpgrade whether it may leave out the name of the package
 * @throws GantryError BAD_REQUEST
 */
export function readPackageRequest(given: unknown, isUpgrade: boolean): PackageRequest {
  const body = bodyOf(given);
  if (body['stored'] !== undefined) {
    assertMembers(body, ['stored']);
    return { kind: 'stored', installed: storedOf(body['stored']) };
  }
  assertMembers(body, ['package', 'version']);
  const { package: name } = body;
  const version = versionOf(body);
  if (name === undefined && isUpgrade) return { kind: 'registry', name, version };
  if (typeof name === 'string' && isPackageName(name)) return { kind: 'registry', name, version };
  throw new GantryError(
    'BAD_REQUEST',
    'The body must be a tarball (application/gzip) or { "package": "name of a package in the registry", "version": "1.2.0" }. Without a version, the newest one is meant; an upgrade without a package means the one that the plugin came from.',
  );
}

function storedOf(stored: unknown): InstalledPackage {
  const parsed = installedSchema.safeParse(stored);
  if (parsed.success) return parsed.data;
  throw new GantryError('BAD_REQUEST', `stored must describe a package: ${z.prettifyError(parsed.error)}`);
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

function booleanOf(body: Body, name: string, otherwise: boolean): boolean {
  const value = body[name] ?? otherwise;
  if (typeof value === 'boolean') return value;
  throw new GantryError('BAD_REQUEST', `${name} must be true or false.`);
}
