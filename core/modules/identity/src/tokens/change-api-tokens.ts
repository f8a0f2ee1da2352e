import type { ApiToken, CreatedToken, NewApiToken, User } from '../accounts/account-schemas';
import type { RecordedChange } from '../accounts/change-accounts';

type TokenOwner = Pick<User, 'id' | 'login'>;

/** Creates an API token of a user, and notes it. @returns the token with its text, which is shown once */
export async function createApiToken(
  change: RecordedChange,
  owner: TokenOwner,
  wanted: NewApiToken,
): Promise<CreatedToken> {
  const token = await change.apiTokens.create(owner.id, wanted);
  const { roles, managesAccounts, expiresAt } = token;
  await record(change, 'token-created', owner, token, {
    ...(roles === null ? {} : { roles }),
    ...(managesAccounts ? { managesAccounts } : {}),
    expiresAt,
  });
  return token;
}

/** Revokes an API token, of one user or of any, and notes it. */
export async function revokeApiToken(change: RecordedChange, id: string, userId?: string): Promise<ApiToken> {
  const token = await change.apiTokens.revoke(id, userId);
  await record(change, 'token-revoked', await change.users.get(token.userId), token);
  return token;
}

/** Revokes all API tokens of a user, and notes each. */
export async function endApiTokens(
  change: Pick<RecordedChange, 'apiTokens' | 'record'>,
  owner: TokenOwner,
): Promise<void> {
  for (const { id } of await change.apiTokens.list(owner.id)) {
    await record(change, 'token-revoked', owner, await change.apiTokens.revoke(id, owner.id));
  }
}

/** The event names whose token it is: that is not always who acts. */
async function record(
  change: Pick<RecordedChange, 'record'>,
  action: string,
  { id, login }: TokenOwner,
  token: ApiToken,
  detail: object = {},
): Promise<void> {
  await change.record({
    action,
    subject: `token:${token.id}`,
    detail: { user: `user:${id}`, login, name: token.name, ...detail },
  });
}
