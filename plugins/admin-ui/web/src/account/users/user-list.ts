import { hasWords } from '../../common/has-words';
import type { User } from '../account-api';

/** The tabs of the list, in order. */
export const userTabs = ['all', 'pending', 'services', 'disabled'] as const;
/** One of {@link userTabs}. */
export type UserTab = (typeof userTabs)[number];

/** State of the list; the address holds all of it. */
export interface UserListState {
  readonly tab: UserTab;
  /** Part of a name, an email address or a role. */
  readonly text: string;
  /** Empty for any. */
  readonly role: string;
}

/** Reads the query of an address. */
export function parseUserListState(parameters: URLSearchParams): UserListState {
  return {
    tab: userTabs.find((tab) => tab === parameters.get('state')) ?? 'all',
    text: parameters.get('q') ?? '',
    role: parameters.get('role') ?? '',
  };
}

/** The query of the address that has the state. */
export function formatUserListState({ tab, text, role }: UserListState): string {
  const parameters = new URLSearchParams();
  if (tab !== 'all') parameters.set('state', tab);
  if (text !== '') parameters.set('q', text);
  if (role !== '') parameters.set('role', role);
  return `?${parameters}`;
}

export function isInTab(user: User, tab: UserTab): boolean {
  if (tab === 'all') return true;
  if (tab === 'disabled') return !user.isEnabled;
  return user.isEnabled && (tab === 'services' ? user.kind === 'service' : isPending(user));
}

/** Whether a person can sign in only after setting a password. */
export function isPending({ kind, hasPassword, identityProvider }: User): boolean {
  return kind === 'person' && !hasPassword && identityProvider === null;
}

/** Whether a user is among those that the filters show. */
export function matchesFilters({ displayName, login, roles }: User, { text, role }: UserListState): boolean {
  return (role === '' || roles.includes(role)) && hasWords([displayName, login, ...roles].join(' '), text);
}
