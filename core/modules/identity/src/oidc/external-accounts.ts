import type { Database } from '@gantry/plugin-api';
import { GantryError } from '@gantry/plugin-api/errors';
import { lockAccounts, readAdministrators } from '../accounts/account-changes';
import { readRoles } from '../roles/stored-roles';
import { readSignIn, requireSignIn } from '../settings';
import type { SignedIn } from '../sign-in/sign-in';
import { publicRole } from '@gantry/core-http/ports';
import { administrator, newUserInput } from '../accounts/user-input';
import { readOidcSettings, type OidcSettings } from './oidc-settings';
import type { ProviderClaims } from './provider';
import { SignInRefusal, type AccountChanges, type AccountEvent } from './sign-in-refusal';

export interface ExternalSignIn extends AccountChanges {
  readonly person: SignedIn;
}

interface Account {
  readonly id: string;
  readonly login: string;
  readonly kind: string;
  readonly roles: readonly string[];
  readonly isEnabled: boolean;
}

interface Attempt {
  readonly transaction: Database;
  readonly settings: OidcSettings;
  readonly person: ProviderClaims;
  /** By the groups of the person. */
  readonly roles: readonly string[];
}

const columns = 'id::text, login, kind, roles, is_enabled AS "isEnabled"';

/**
 * Finds or creates the account of a person whom the provider has confirmed, and gives it the roles of the person's groups. The
 * settings are read under the lock: they may have changed while the provider answered. A refusal is returned, as what it took away
 * from the account has to remain.
 */
export async function signInExternally(
  transaction: Database,
  person: ProviderClaims,
): Promise<ExternalSignIn | SignInRefusal> {
  await lockAccounts(transaction);
  const settings = await readOidcSettings(transaction);
  if (settings?.issuer !== person.issuer) return new SignInRefusal('expired', 'The provider was changed meanwhile');
  const roles = await rolesOf(transaction, settings, person);
  const attempt: Attempt = { transaction, settings, person, roles };
  const known = await findByIdentity(transaction, person);
  if (known !== undefined) return signInKnown(attempt, known);
  return signInFirstTime(attempt);
}

/** Roles that do not exist any more are not given. */
async function rolesOf(
  transaction: Database,
  { groupsClaim, roles, defaultRole }: OidcSettings,
  { claims }: ProviderClaims,
): Promise<readonly string[]> {
  const claim = claims[groupsClaim];
  const groups: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const mapped = roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role);
  const wanted = mapped.length === 0 && defaultRole !== undefined ? [defaultRole] : mapped;
  const existing = (await readRoles(transaction)).map(({ name }) => name).filter((name) => name !== publicRole);
  return existing.filter((name) => wanted.includes(name));
}

async function findByIdentity(
  transaction: Database,
  { issuer, subject }: ProviderClaims,
): Promise<Account | undefined> {
  const [row] = await transaction.query<Account>(
    `SELECT ${columns} FROM gantry_user
     WHERE id = (SELECT user_id FROM gantry_external_identity WHERE issuer = $1 AND subject = $2)`,
    [issuer, subject],
  );
  return row;
}

async function signInKnown(attempt: Attempt, account: Account): Promise<ExternalSignIn | SignInRefusal> {
  const { transaction } = attempt;
  const { login, id } = account;
  if (!account.isEnabled) return new SignInRefusal('account-disabled', 'The account is disabled', { login });
  const given = await setRoles(attempt, account);
  await nameFirstAdministrator(transaction, id, given.roles);
  if (given.roles.length > 0) return signedIn(attempt, account, given.events);
  await transaction.query('DELETE FROM gantry_session WHERE user_id = $1', [id]);
  const revoked = await revokeTokens(transaction, account);
  return noRole({ login, changed: { userId: id, events: [...given.events, ...revoked] } });
}

/** Of a person without roles, API tokens allow nothing; they must not work again by themselves when a group comes back. */
async function revokeTokens(transaction: Database, { id, login }: Account): Promise<readonly AccountEvent[]> {
  const revoked = await transaction.query<{ readonly id: string; readonly name: string }>(
    'DELETE FROM gantry_api_token WHERE user_id = $1 RETURNING public_id AS id, name',
    [id],
  );
  return revoked.map((token) => ({
    action: 'token-revoked',
    subject: `token:${token.id}`,
    detail: { user: `user:${id}`, login, name: token.name },
  }));
}

function signedIn(
  { person: { authenticatedAt } }: Attempt,
  { id, login }: Pick<Account, 'id' | 'login'>,
  events: readonly AccountEvent[],
): ExternalSignIn {
  const person: SignedIn = { userId: id, login, passwordHash: null, provenAt: authenticatedAt };
  return { person, userId: id, events };
}

function noRole(details: SignInRefusal['details']): SignInRefusal {
  return new SignInRefusal('no-role', 'No group of the person has a role', details);
}

/** The role of the last enabled administrator is kept. */
async function setRoles(
  { transaction, roles }: Pick<Attempt, 'transaction' | 'roles'>,
  account: Account,
): Promise<{ readonly roles: readonly string[]; readonly events: readonly AccountEvent[] }> {
  const keeps = !roles.includes(administrator) && (await isLastAdministrator(transaction, account));
  const next = keeps ? [administrator, ...roles] : roles;
  const kept: readonly AccountEvent[] = keeps ? [{ action: 'last-administrator-kept' }] : [];
  if (next.toSorted().join() === account.roles.toSorted().join()) return { roles: next, events: kept };
  await transaction.query('UPDATE gantry_user SET roles = $2, updated_at = now() WHERE id = $1', [account.id, next]);
  return { roles: next, events: [...kept, { action: 'user-changed', detail: { roles: next } }] };
}

/** The person signs in now, so that others count who can sign in as well. */
async function isLastAdministrator(transaction: Database, { id, roles }: Account): Promise<boolean> {
  if (!roles.includes(administrator)) return false;
  const administrators = await readAdministrators(transaction);
  return !administrators.some((other) => other.id !== id && other.canSignIn);
}

async function signInFirstTime(attempt: Attempt): Promise<ExternalSignIn | SignInRefusal> {
  const login = loginOf(attempt.person);
  if (login instanceof SignInRefusal) return login;
  if (attempt.roles.length === 0) return noRole({ login });
  const { transaction } = attempt;
  const [existing] = await transaction.query<Account>(`SELECT ${columns} FROM gantry_user WHERE login = $1`, [login]);
  return existing === undefined ? createAccount(attempt, login) : linkAccount(attempt, existing);
}

/** The email address in lower case. */
function loginOf({ claims: { email, email_verified: isVerified } }: ProviderClaims): string | SignInRefusal {
  const input = newUserInput.safeParse({ kind: 'person', login: email, roles: ['reader'] });
  if (!input.success) return new SignInRefusal('email-missing', 'The provider gives no email address');
  const login = input.data.login.toLowerCase();
  if (isVerified === true) return login;
  return new SignInRefusal('email-not-verified', 'The provider has not verified the email address', { login });
}

async function createAccount(attempt: Attempt, login: string): Promise<ExternalSignIn> {
  const { transaction, person, roles } = attempt;
  const name = newUserInput.safeParse({ kind: 'person', login, displayName: person.claims['name'], roles });
  const displayName = name.success ? (name.data.displayName ?? login) : login;
  const [created] = await transaction.query<{ readonly id: string }>(
    `INSERT INTO gantry_user (login, display_name, kind, roles) VALUES ($1, $2, 'person', $3) RETURNING id::text`,
    [login, displayName, roles],
  );
  if (created === undefined) throw new GantryError('CONFLICT', `There is already a user ${login}.`);
  await insertIdentity(transaction, created.id, person);
  await nameFirstAdministrator(transaction, created.id, roles);
  const event = { action: 'user-created', detail: { login, roles } };
  return signedIn(attempt, { id: created.id, login }, [event]);
}

/**
 * From then on, only the provider confirms who the person is: a password that somebody else may have set, and what was opened or
 * made with it, end. An address that the provider has given to another person is not linked a second time.
 */
async function linkAccount(attempt: Attempt, account: Account): Promise<ExternalSignIn | SignInRefusal> {
  const { transaction, settings, person } = attempt;
  const { id, login } = account;
  const linked = await transaction.query('SELECT 1 FROM gantry_external_identity WHERE user_id = $1 AND issuer = $2', [
    id,
    person.issuer,
  ]);
  if (!settings.linksByEmail || linked.length > 0 || account.kind !== 'person') {
    return new SignInRefusal('account-exists', 'There is already a user with the email address', { login });
  }
  if (!account.isEnabled) return new SignInRefusal('account-disabled', 'The account is disabled', { login });
  await insertIdentity(transaction, id, person);
  await transaction.query('UPDATE gantry_user SET password_hash = NULL, updated_at = now() WHERE id = $1', [id]);
  for (const table of [
    'gantry_session',
    'gantry_one_time_link',
    'gantry_known_device',
    'gantry_totp',
    'gantry_passkey',
    'gantry_recovery_code',
    'gantry_api_token',
  ]) {
    await transaction.query(`DELETE FROM ${table} WHERE user_id = $1`, [id]);
  }
  const { roles, events } = await setRoles(attempt, account);
  await nameFirstAdministrator(transaction, id, roles);
  return signedIn(attempt, account, [{ action: 'user-linked' }, ...events]);
}

/** The first one takes over what was stored while the platform was open. */
async function nameFirstAdministrator(transaction: Database, id: string, roles: readonly string[]): Promise<void> {
  if (!roles.includes(administrator)) return;
  const setting = await readSignIn(transaction);
  if (setting?.firstAdministrator === undefined) await requireSignIn(transaction, id);
}

async function insertIdentity(transaction: Database, userId: string, person: ProviderClaims): Promise<void> {
  await transaction.query('INSERT INTO gantry_external_identity (user_id, issuer, subject) VALUES ($1, $2, $3)', [
    userId,
    person.issuer,
    person.subject,
  ]);
}
