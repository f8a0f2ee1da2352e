import type { User } from './account-schemas';
import type { RecordedChange } from './change-accounts';
import { endApiTokens } from '../tokens/change-api-tokens';
import type { UserChange } from './users';

/** Changes a user, and notes it. The API tokens of one that is disabled end: enabling it does not give access back by itself. */
export async function changeUser(change: RecordedChange, id: string, wanted: UserChange): Promise<User> {
  const user = await change.users.update(id, wanted);
  await change.record({ action: 'user-changed', subject: `user:${id}`, detail: { ...wanted } });
  if (wanted.isEnabled === false) await endApiTokens(change, user);
  return user;
}
