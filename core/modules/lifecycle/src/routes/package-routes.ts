import { installedSchema } from '@gantry/core-supervisor/child';
import { GantryError, type RouteUpload } from '@gantry/plugin-api';
import { valid } from 'semver';
import { z } from 'zod';
import { changeAnswer } from '../change/change-schemas';
import type { PackageChanges, PackageChoices, PackageRequest } from '../change/package-changes';
import type { PluginChangeAnswer } from '../change/plugin-change-answer';
import { isPackageName, isSameText, flag } from '@gantry/core-common';

import {
  type AccountsPort,
  type Audit,
  type Client,
  type HidePaths,
  routesWith,
  type Demand,
  type HostRoute,
  assertIsAdministrator,
  assertLasting,
  type RequestAuthor,
} from '@gantry/core-http';
import { confirm, pluginId, presented, underWay } from './plugin-change-routes';

export interface PackageServices {
  readonly packages: PackageChanges;
  /** Whether requests may choose packages; otherwise only commands on the home do. */
  readonly takesPackages: boolean;
  /** With which commands on the home prove that they are. */
  readonly localToken: string;
  readonly accounts: Pick<AccountsPort, 'change'>;
  readonly hidePaths: HidePaths;
}

const route = routesWith<PackageServices>();

/**
 * Code of a package can do everything, also make an administrator: of API tokens, only one that may do that brings it. What a
 * token may do does not change while a request runs; its rights are read again before the change.
 */
const bringsCode: Demand = { rights: assertIsAdministrator, caller: assertLasting };

const status = {
  200: 'No change was needed or requested, or the change takes effect at the next start.',
  202: underWay,
} as const;

const version = z
  .string()
  // A range or a tag would say nothing about what is installed.
  .refine((text) => valid(text) === text, { error: 'version must be one version, such as 1.2.0' })
  .exactOptional()
  .meta({ description: 'A version; the newest unless given.', examples: ['1.2.0'] });

const packageName = z
  .string()
  .refine(isPackageName, { error: 'package must be the name of a package in the registry' })
  .describe('Name of an npm package.');

const stored = z
  .strictObject({
    stored: installedSchema.meta({ id: 'StoredPackage', description: 'A package in the store of the home.' }),
  })
  .describe('A package that a command on the home of the platform has put into the store.');

const expected =
  'The body must be a tarball (application/gzip) or { "package": "name of a package in the registry", "version": "1.2.0" }. Without a version, the newest is installed';

const newPackage = z
  .union([z.strictObject({ package: packageName, version }), stored], { error: expected })
  .meta({ examples: [{ package: '@acme/gantry-plugin-recipes', version: '1.2.0' }] });

const nextPackage = z
  .union([z.strictObject({ package: packageName.exactOptional(), version }), stored], {
    error: `${expected}; without a package, the one that was installed before`,
  })
  .meta({ examples: [{ version: '1.2.0' }] });

const fileName = z
  .string()
  .regex(/^[\w@. +-]{1,200}$/, { error: 'name must be the name of a file, of letters, digits and . _ - + @' })
  .exactOptional()
  .describe('File name of the tarball.');

const check = flag.describe('`true` fetches and checks the package and changes nothing.');

/** A tarball of `npm pack`. */
const upload = {
  mediaTypes: ['application/gzip', 'application/x-gzip', 'application/octet-stream'],
  limit: 100 * 2 ** 20,
} as const;

const bringing = {
  method: 'POST',
  access: 'signed-in',
  demand: bringsCode,
  presence: true,
  upload,
  answer: changeAnswer,
  status,
  // Each fetches a package and checks it, in a process.
  limits: { share: 2, rate: false, name: 'packages that are fetched' },
  errors: ['FORBIDDEN', 'PLUGIN_NOT_FOUND', 'PLUGIN_CHECK_FAILED', 'PLUGIN_SET_CHANGED'],
} as const;

const about = 'For administrators. Scripts of packages never run. 403 if `GANTRY_PACKAGES_OVER_HTTP` is `refuse`.';

/** Packages of plugins: installed, upgraded and uninstalled, each by one request. */
export const packageRoutes: readonly HostRoute<PackageServices>[] = [
  route({
    ...bringing,
    path: '/api/platform/plugins/install',
    operationId: 'installPlugin',
    summary: 'Check a package of npm or a tarball and, if no problem is found, install it',
    description: about,
    audit: 'plugin-installed',
    query: z.object({ name: fileName, check, disabled: flag.describe('`true` installs it without enabling it.') }),
    body: newPackage,
    async handler({ query, ...call }, services) {
      const choices = choicesOf(call, services, query.check);
      const answer = await services.packages.install(
        await wantedOf(call, services, query.name),
        !query.disabled,
        choices,
      );
      await auditBrought(call.audit, answer);
      return presented(answer, services.hidePaths);
    },
  }),
  route({
    ...bringing,
    path: '/api/platform/plugins/:id/upgrade',
    operationId: 'upgradePlugin',
    summary: 'Check a package and, if no problem is found, replace the package of the plugin with it',
    description: `${about} Without \`package\`, the package that was installed before is used.`,
    audit: 'plugin-upgraded',
    params: pluginId('recipes'),
    query: z.object({ name: fileName, check }),
    body: nextPackage,
    async handler({ params: id, query, ...call }, services) {
      const choices = choicesOf(call, services, query.check);
      const answer = await services.packages.upgrade(id, await wantedOf(call, services, query.name), choices);
      await auditBrought(call.audit, answer);
      return presented(answer, services.hidePaths);
    },
  }),
  route({
    method: 'POST',
    path: '/api/platform/plugins/:id/uninstall',
    operationId: 'uninstallPlugin',
    summary: 'Remove the package of a plugin that was installed by command or request; its data are kept',
    description: 'For administrators.',
    access: 'signed-in',
    demand: { rights: assertIsAdministrator },
    errors: ['PLUGIN_NOT_FOUND', 'PLUGIN_REQUIRED', 'PLUGIN_NEEDED', 'PLUGIN_SET_CHANGED'],
    audit: 'plugin-uninstalled',
    params: pluginId('recipes'),
    body: z
      .strictObject({ disable: z.boolean().default(false).describe('`true` disables the plugin first.') })
      .prefault({}),
    answer: changeAnswer,
    status,
    async handler({ params: id, body: { disable }, author, audit }, { packages, accounts, hidePaths }) {
      await confirm(accounts, author);
      const answer = await packages.uninstall(id, disable);
      await audit(answer.change === null ? undefined : { subject: `plugin:${id}` });
      return presented(answer, hidePaths);
    },
  }),
];

/** Of both requests that bring a package. */
interface Bringing {
  readonly body: z.infer<typeof nextPackage> | undefined;
  readonly upload?: RouteUpload;
  readonly author: RequestAuthor;
  readonly client: Client;
  readonly signal: AbortSignal;
}

function choicesOf({ author, signal }: Bringing, { accounts }: PackageServices, isCheck: boolean): PackageChoices {
  const { login, name } = author.principal;
  return { isCheck, by: login || name, confirm: () => confirm(accounts, author), signal };
}

async function auditBrought(audit: Audit, { change, package: found }: PluginChangeAnswer): Promise<void> {
  if (change === null || found === undefined) return audit(undefined);
  return audit({ subject: `plugin:${found.plugin}`, detail: { version: found.installed.version } });
}

async function wantedOf(
  { body = {}, upload: file, author, client }: Bringing,
  services: PackageServices,
  name = 'package.tgz',
): Promise<PackageRequest> {
  const confirmCaller = () => confirm(services.accounts, author);
  if (file !== undefined) {
    assertTakesPackages(services);
    return { kind: 'tarball', name, bytes: confirmedAtEnd(file.bytes, confirmCaller) };
  }
  if ('stored' in body) assertOfHome(services, client);
  else assertTakesPackages(services);
  await confirmCaller();
  if ('stored' in body) return { kind: 'stored', installed: body.stored };
  return { kind: 'registry', name: body.package, version: body.version };
}

function assertTakesPackages({ takesPackages }: PackageServices): void {
  if (takesPackages) return;
  throw new GantryError(
    'FORBIDDEN',
    'This platform takes no packages over HTTP (GANTRY_PACKAGES_OVER_HTTP=refuse). Install on its machine: gantry plugins install.',
  );
}

/** Who can write to the home chooses the code that runs; on an open platform, everybody on the machine is an administrator. */
function assertOfHome({ localToken }: PackageServices, { headers }: Client): void {
  if (isSameText(headers.authorization ?? '', `Bearer ${localToken}`)) return;
  throw new GantryError('FORBIDDEN', 'Only a command on the home of the platform may name a package of its store.');
}

/** The bytes end only for a caller who may still send them: an upload takes time. */
async function* confirmedAtEnd(
  bytes: AsyncIterable<Uint8Array>,
  confirmCaller: () => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* bytes;
  await confirmCaller();
}
