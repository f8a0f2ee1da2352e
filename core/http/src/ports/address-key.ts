import { ipKeyGenerator } from 'express-rate-limit';

/** One key for the addresses that one client can choose from: an IPv6 network of 56 bits counts as one. */
export function addressKey(address: string): string {
  return address === '' ? 'unknown' : ipKeyGenerator(address, 56);
}
