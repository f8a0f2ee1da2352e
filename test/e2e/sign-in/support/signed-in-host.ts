import { useTestHost, type TestHost, type TestHostOptions } from '../../../support/platform';
import { createUsers, untilSignInIsRequired, useLink } from './accounts';

export interface SignedInHost {
  readonly host: TestHost;
  /** Session of ann@example.com, who is an administrator; known only while tests run. */
  administrator(): string;
}

/** One host with sign-in for several suites, each of which has users, roles and items that no other uses. */
export function useSignedInHost(options: TestHostOptions): SignedInHost {
  const host = useTestHost(options);
  let session = '';
  beforeAll(async () => {
    const [secret = ''] = await createUsers(host.databaseUrl, ['ann@example.com']);
    await untilSignInIsRequired(host.address);
    session = await useLink(host.address, secret);
  });
  return { host, administrator: () => session };
}
