import type { PlatformSchema } from '@gantry/client/platform';
import { queryOptions } from '@tanstack/react-query';
import { callPlatform } from '../../api/platform/call-platform';
import { makePasskey } from '../sign-in/browser-passkeys';

export type Passkey = PlatformSchema<'Passkey'>;

const path = '/api/platform/account/passkeys';

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: async ({ signal }) => (await callPlatform('GET', path, {}, signal)).data,
});

/** @returns recovery codes, which the platform shows once, of the first second factor; else none */
export async function addPasskey(name: string, currentPassword: string): Promise<readonly string[]> {
  const begun = await callPlatform('POST', '/api/platform/account/passkey-registration', { body: { currentPassword } });
  const registration = await makePasskey(begun.data);
  const { data } = await callPlatform('POST', path, { body: { ...(name === '' ? {} : { name }), registration } });
  return data.recoveryCodes;
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await callPlatform('PATCH', `${path}/{id}`, { path: { id }, body: { name } });
}

export async function removePasskey(id: string, currentPassword: string): Promise<void> {
  await callPlatform('DELETE', `${path}/{id}`, { path: { id }, body: { currentPassword } });
}
