import type { IncomingMessage } from 'node:http';
import type { AuditEntry, AuditSink, ChangeAuthor } from '../../ports/audit-sink';
import type { Principal } from '../../ports/authenticator';
import type { Rights } from '../../ports/rights';
import { clientAddress } from './client-address';
import { needsPresence, principalOf } from './principal';

/** The author of a change that a request makes. */
export interface RequestAuthor extends ChangeAuthor {
  readonly principal: Principal;
}

/**
 * The caller of a request as the author of a change.
 * @param needs what the rights have to be in the transaction of the change, too
 */
export function authorOf(request: IncomingMessage, needs?: (rights: Rights) => void): RequestAuthor {
  const principal = principalOf(request);
  return {
    ...{ actor: actorOf(principal), address: clientAddress(request), principal },
    ...(needs === undefined ? {} : { needs }),
    needsPresence: needsPresence(request),
  };
}

/** The entry of a request in the audit log. */
export type Audited = Pick<AuditEntry, 'action' | 'subject' | 'detail'>;

/** Notes in the audit log what the caller of a request did, where that is no change of the database. */
export async function recordAction(
  { audit }: { readonly audit: AuditSink },
  request: IncomingMessage,
  entry: Audited,
): Promise<void> {
  await audit.record({ ...entry, actor: actorOf(principalOf(request)), address: clientAddress(request) });
}

function actorOf({ kind, id }: Principal): string {
  if (kind === 'public') return 'anonymous';
  return kind === 'local' ? 'local' : `user:${id}`;
}

type Refusal = Pick<AuditEntry, 'action' | 'actor'> & Partial<Pick<AuditEntry, 'subject'>>;

/** Counts in the audit log that a proof was refused. */
export async function recordRefusal(
  { audit }: { readonly audit: AuditSink },
  { address }: Pick<ChangeAuthor, 'address'>,
  { subject = '', ...entry }: Refusal,
): Promise<void> {
  await audit.recordRefusal({ ...entry, subject, address });
}

/**
 * Counts that a client was refused before it has proven who it is. What it says of itself is no actor: it may be the text of
 * another one, such as `user:1`.
 * @param login as the client or its provider gives it
 */
export function recordAnonymousRefusal(
  identity: { readonly audit: AuditSink },
  client: Pick<ChangeAuthor, 'address'>,
  action: string,
  login?: string,
): Promise<void> {
  const subject = login === undefined ? '' : `login:${login.toLowerCase()}`;
  return recordRefusal(identity, client, { action, actor: 'anonymous', subject });
}
