import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address of this machine or of a private network, where requests of webhooks could reach what only the platform may reach. */
export class PrivateAddressError extends Error {
  constructor(address: string) {
    super(
      `${address} is a loopback, private, link-local or reserved address. Set GANTRY_WEBHOOK_PRIVATE_ADDRESSES=allow if webhooks may be sent to such addresses.`,
    );
  }
}

/** All that IANA has assigned as global unicast addresses of IPv6. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether the address is one of the public Internet. Addresses that contain another one, such as NAT64, are not. */
export function isPublicAddress(address: string): boolean {
  const [text = ''] = address.split('%');
  if (!ipaddr.isValid(text)) return false;
  // `process` unpacks an IPv4 address that is written as an IPv6 one.
  const found = ipaddr.process(text);
  return found.range() === 'unicast' && (found instanceof ipaddr.IPv4 || found.match(globalIpv6));
}

/** @throws PrivateAddressError for a host that is written as an address which is not public */
export function assertPublicHost(hostname: string): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddressError(host);
}
