import { ConfigError } from '@gantry/core-common';
import type { Identity } from '@gantry/core-identity';
import type { Logger } from '@gantry/plugin-api';
import { isExposed, type HostConfig } from '../config';
import type { HostOptions } from '../host-options';

/** @throws ConfigError when other machines could reach a platform that is open */
export function assertProtected(
  { config, logger }: Pick<HostOptions, 'config' | 'logger'>,
  { hasAdministrator }: Identity,
): void {
  if (!isExposed(config)) return;
  warnOfProxy(config, logger);
  if (hasAdministrator()) return;
  throw new ConfigError(
    `${exposedBy(config)}, not an address of this machine alone, and sign-in is not switched on. Create the first administrator with: gantry users create <email> --role administrator`,
  );
}

function exposedBy({ host, publicUrl }: HostConfig): string {
  return isExposed({ host }) ? `GANTRY_HOST is ${host}` : `GANTRY_PUBLIC_URL is ${publicUrl ?? ''}`;
}

/** Behind a proxy that is not trusted, all clients have its address, and the limits of sign-in count them together. */
function warnOfProxy(config: HostConfig, logger: Logger): void {
  if (config.publicUrl === undefined || config.trustedProxies.length > 0) return;
  logger.warn(
    { publicUrl: config.publicUrl },
    'GANTRY_PUBLIC_URL is set and GANTRY_TRUSTED_PROXIES is not: behind a proxy, limits of sign-in and the audit log see its address instead of those of the clients',
  );
}
