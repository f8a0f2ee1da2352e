import type { Database } from '@gantry/plugin-api';
import { recordEvent } from './audit';
import type { AuditEntry } from '@gantry/core-http/ports';
import { resealOidcClient } from './oidc/oidc-settings';
import type { SecretBox } from '@gantry/core-common';
import { resealTotp } from './second-factors/totp';

/** How many secrets are encrypted with the newest key, and how many no key decrypts. */
export interface KeyRotation {
  readonly encrypted: number;
  readonly unreadable: number;
}

/** Encrypts secrets with the newest key. @returns for each of them whether a key opens it */
export type Reseal = (transaction: Database, box: SecretBox) => Promise<readonly boolean[]>;

/**
 * Adds a key to those of the home, and encrypts all stored secrets with the newest key. Interrupted, it can be run again: keys are
 * dropped when nothing is left that needs them. Processes that run find the new key by themselves.
 */
export async function rotateKey(
  database: Database,
  box: SecretBox,
  author: Pick<AuditEntry, 'actor' | 'address'>,
  others: readonly Reseal[] = [],
): Promise<KeyRotation> {
  const rotation = await database.transaction(async (transaction) => {
    // Two at the same time would write over each other's key.
    await transaction.query("SELECT pg_advisory_xact_lock(hashtext('gantry_secret_key'))");
    box.addKey();
    const resealed: boolean[] = [];
    for (const reseal of [resealTotp, resealOidcClient, ...others]) resealed.push(...(await reseal(transaction, box)));
    const encrypted = resealed.filter(Boolean).length;
    const counts = { encrypted, unreadable: resealed.length - encrypted };
    const event = { action: 'key-rotated', subject: 'platform', detail: counts };
    await recordEvent(transaction, { ...author, ...event });
    return counts;
  });
  if (rotation.unreadable === 0) box.dropOldKeys();
  return rotation;
}
