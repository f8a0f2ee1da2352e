import type { Database } from '@gantry/plugin-api';
import type { Principal } from './authenticator';
import type { Rights } from './rights';

/** Something that concerns the security of the platform. */
export interface AuditEntry {
  /** `local`, `user:12`, `plugin:order`, `system`, `anonymous`, or the login of a refused second factor. Never text that a client has sent. */
  readonly actor: string;
  /** For example `sign-in`, `sign-in-refused`, `user-created`. */
  readonly action: string;
  /** The object of the action, for example `user:12`, or `login:ann@example.com` as a signed-out client has sent it. */
  readonly subject: string;
  /** Network address of the client; empty for a command. */
  readonly address: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Takes what requests do that concerns the security of the platform. */
export interface AuditSink {
  record(entry: AuditEntry): Promise<void>;
  /** Counts a refusal. It never rejects: a refusal stays one when it cannot be written. */
  recordRefusal(entry: AuditEntry): Promise<void>;
}

/** Work in one transaction with its entry in the audit log. */
export interface AuditedChange {
  /** Who makes it. */
  readonly actor: string;
  readonly transaction: Database;
  /** Notes it in the audit log. Without an actor, the author acts. */
  record(event: Pick<AuditEntry, 'action' | 'subject' | 'detail'> & Partial<Pick<AuditEntry, 'actor'>>): Promise<void>;
}

/** Who makes a change of users, roles or credentials. */
export interface ChangeAuthor extends Pick<AuditEntry, 'actor' | 'address'> {
  /**
   * The caller whose credential has to be valid still, with rights that `needs` accepts. Without one, the right is a proof that the change
   * itself reads, such as a one-time link, or the access to the home.
   */
  readonly principal?: Principal;
  /** @throws GantryError FORBIDDEN */
  readonly needs?: (rights: Rights) => void;
  /** Whether the person of a session has to have proven to be present. */
  readonly needsPresence?: boolean;
}
