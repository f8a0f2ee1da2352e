import { history } from '@gantry/core-history';
import { kernelPermissions, type Module } from '@gantry/core-http';
import { idempotencySchema } from '@gantry/core-http/tables';
import { identity, type IdentityHost } from '@gantry/core-identity';
import { lifecycle, pluginSettings, type LifecycleHost, type SettingsHost } from '@gantry/core-lifecycle';
import { transfer } from '@gantry/core-transfer';
import { jobs, webhooks } from '@gantry/core-webhooks';
import type { Permission } from '@gantry/contracts';
import type { PluginSchema } from '@gantry/core-database';
import type { HostConfig } from './config';

/** A module, with all that this host hands over. */
export type HostModule = Module<HostConfig, IdentityHost & LifecycleHost & SettingsHost>;

/** The modules of the platform. */
export const modules: readonly HostModule[] = [history, transfer, identity, lifecycle, pluginSettings, webhooks, jobs];

/** The tables of the platform itself. */
export function schemasOf(list: readonly HostModule[]): readonly PluginSchema[] {
  return [idempotencySchema, ...list.flatMap(({ tables }) => tables ?? [])];
}

/** Of the modules that commands on the home know. */
export const platformSchemas: readonly PluginSchema[] = schemasOf(modules);

/** Permissions of roles besides items, for routes of the platform itself. */
export function permissionsOfModules(list: readonly HostModule[]): readonly Permission[] {
  return [...list.flatMap(({ permissions }) => permissions ?? []), ...kernelPermissions];
}
