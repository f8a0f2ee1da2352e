import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/request';
import { makePasskey } from './browser-passkeys';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Host name at which it is valid. */
  readonly host: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface PasskeyList {
  /** Of the pages on which passkeys are valid; null where the platform offers none. */
  readonly origin: string | null;
  readonly passkeys: readonly Passkey[];
}

const path = '/api/platform/account/passkeys';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await request<PasskeyList>(path, { signal })).data,
});

/** @returns recovery codes, which the platform shows once, of the first second factor; else none */
export async function addPasskey(name: string, currentPassword: string): Promise<readonly string[]> {
  const begun = await request<object>('/api/platform/account/passkey-registration', {
    method: 'POST',
    body: { currentPassword },
  });
  const registration = await makePasskey(begun.data);
  const { data } = await request<{ readonly recoveryCodes: readonly string[] }>(path, {
    method: 'POST',
    body: { ...(name === '' ? {} : { name }), registration },
  });
  return data.recoveryCodes;
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await request(`${path}/${id}`, { method: 'PATCH', body: { name } });
}

export async function removePasskey(id: string, currentPassword: string): Promise<void> {
  await request(`${path}/${id}`, { method: 'DELETE', body: { currentPassword } });
}
