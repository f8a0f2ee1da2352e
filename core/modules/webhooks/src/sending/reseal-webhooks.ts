import type { Database } from '@gantry/plugin-api';
import { reseal, type SecretBox } from '@gantry/core-common';
import { contextOf } from './webhook-context';

interface SealedRow {
  readonly id: string;
  readonly name: string;
  readonly headers: string;
  readonly secret: string;
  readonly earlier: string | null;
}

/** Encrypts the secrets and header fields of webhooks with the newest key. @returns for each webhook whether a key opens them */
export async function resealWebhooks(transaction: Database, box: SecretBox): Promise<readonly boolean[]> {
  const rows = await transaction.query<SealedRow>(
    `SELECT w.id, s.name, w.encrypted_headers AS headers, w.encrypted_secret AS secret, w.encrypted_earlier_secret AS earlier
     FROM gantry_webhook w JOIN gantry_subscription s ON s.id = w.subscription_id ORDER BY w.id FOR UPDATE OF w`,
  );
  const results: boolean[] = [];
  for (const { id, name, headers, secret, earlier } of rows) {
    const sealed = [headers, secret].map((text) => reseal(box, text, contextOf(name)));
    const isRead = sealed.every((text) => text !== undefined);
    results.push(isRead);
    if (!isRead) continue;
    const earlierSealed = earlier === null ? null : (reseal(box, earlier, contextOf(name)) ?? null);
    await transaction.query(
      'UPDATE gantry_webhook SET encrypted_headers = $2, encrypted_secret = $3, encrypted_earlier_secret = $4 WHERE id = $1',
      [id, ...sealed, earlierSealed],
    );
  }
  return results;
}
