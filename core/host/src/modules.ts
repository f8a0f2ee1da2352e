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

/** The modules of the platform. */
export const modules: readonly Module<HostConfig, IdentityHost & LifecycleHost & SettingsHost>[] = [
  history,
  transfer,
  identity,
  lifecycle,
  pluginSettings,
  webhooks,
  jobs,
];

/** The tables of the platform itself. */
export const platformSchemas: readonly PluginSchema[] = [
  idempotencySchema,
  ...modules.flatMap(({ tables }) => tables ?? []),
];

/** Permissions of roles besides items, for routes of the platform itself. */
export const platformPermissions: readonly Permission[] = [
  ...modules.flatMap(({ permissions }) => permissions ?? []),
  ...kernelPermissions,
];
