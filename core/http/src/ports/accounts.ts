import type { AuditSink, AuditedChange, ChangeAuthor } from './audit-sink';
import type { AnonymousPort, SignInMode } from './authenticator';

/** The accounts of a platform, as modules need them. */
export interface AccountsPort extends SignInMode {
  /** Distinguishes this installation from others on the same machine. */
  readonly installationId: string;
  /**
   * Runs a change and notes it in the audit log, in one transaction.
   * @throws GantryError UNAUTHENTICATED, FORBIDDEN when the author may not do it any more
   */
  change<T>(author: ChangeAuthor, work: (change: AuditedChange) => Promise<T>): Promise<T>;
  readonly authenticator: AnonymousPort;
  readonly audit: AuditSink;
  /** Display names of users, by what the audit log calls them, such as `user:12`; of those that exist. */
  namesOf(actors: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
