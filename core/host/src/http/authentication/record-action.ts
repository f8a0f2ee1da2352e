import type { IncomingMessage } from 'node:http';
import type { AuditEntry, Identity } from '../../identity';
import { clientAddress } from '../exchange/client-address';
import { principalOf } from '../exchange/principal';

/** Notes in the audit log what the caller of a request did. */
export async function recordAction(
  { audit }: Pick<Identity, 'audit'>,
  request: IncomingMessage,
  entry: Pick<AuditEntry, 'action' | 'subject' | 'detail'>,
): Promise<void> {
  const { kind, id } = principalOf(request);
  await audit.record({ ...entry, actor: kind === 'local' ? 'local' : `user:${id}`, address: clientAddress(request) });
}

/** Counts in the audit log that a proof was refused. */
export async function recordRefusal(
  { audit }: Pick<Identity, 'audit'>,
  request: IncomingMessage,
  { subject = '', ...entry }: Pick<AuditEntry, 'action' | 'actor'> & Partial<Pick<AuditEntry, 'subject'>>,
): Promise<void> {
  await audit.recordRefusal({ ...entry, subject, address: clientAddress(request) });
}
