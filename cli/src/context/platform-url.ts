import { UsageError } from '../common/usage-error';

/** The origin of a platform, as it is stored and asked. @throws UsageError */
export function parsePlatformUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${text}" is not the address of a platform, such as https://cms.example.com.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || url.pathname !== '/') {
    throw new UsageError(`"${text}" must be an address without a path, such as ${url.origin}.`);
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isHere) {
    throw new UsageError(
      `"${text}" is not encrypted: others on the network could read the token. Use https://${url.host}.`,
    );
  }
  return url.origin;
}
