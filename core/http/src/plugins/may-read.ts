import { GantryError, type MountContext } from '@gantry/plugin-api';
import { maxImageAddressBytes, type Policy, type ImageRights } from '@gantry/core-content';
import type { Principal } from '../ports';

/** Whether who makes a request may read a file that items refer to by one of the addresses. */
export type MayRead = (principal: Principal, ...question: Parameters<MountContext['mayRead']>) => Promise<boolean>;

const maxAddresses = 100;

export interface MayReadDependencies {
  readonly images: ImageRights;
  readonly policyOf: (principal: Principal) => Policy;
  /** Origin of the platform's own links: a path is at an address there as well. */
  readonly publicUrl: string | undefined;
}

export function createMayRead({ images, policyOf, publicUrl }: MayReadDependencies): MayRead {
  return async (principal, given, options) => {
    assertAddresses(given);
    const paths = publicUrl === undefined ? [] : given.filter((address) => address.startsWith('/'));
    const addresses = [...given, ...paths.map((path) => `${publicUrl}${path}`)];
    const unusedWith = readPermission(options);
    const { rights } = principal;
    if (rights.isAdministrator) return true;
    if (await images.isShown(policyOf(principal), addresses)) return true;
    if (unusedWith === undefined || !rights.may(unusedWith)) return false;
    return !(await images.isUsed(addresses));
  };
}

/** Plugins in plain JavaScript have no compiler that reports it. @throws GantryError BAD_REQUEST */
function assertAddresses(addresses: unknown): asserts addresses is readonly string[] {
  const isSound = Array.isArray(addresses) && addresses.length > 0 && addresses.length <= maxAddresses;
  if (isSound && addresses.every(isAddress)) return;
  throw new GantryError(
    'BAD_REQUEST',
    `mayRead requires an array of 1 to ${maxAddresses} addresses, which are texts of at most ${maxImageAddressBytes} bytes.`,
  );
}

function isAddress(address: unknown): boolean {
  return typeof address === 'string' && !address.includes('\0') && Buffer.byteLength(address) <= maxImageAddressBytes;
}

/** @throws GantryError BAD_REQUEST */
function readPermission(options: unknown): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options === 'object' && options !== null && Object.keys(options).every((name) => name === 'unusedWith')) {
    const { unusedWith }: { readonly unusedWith?: unknown } = options;
    if (unusedWith === undefined || typeof unusedWith === 'string') return unusedWith;
  }
  throw new GantryError('BAD_REQUEST', "The options of mayRead must be { unusedWith: '<permission>' }.");
}
