import type { Database } from '@gantry/plugin-api';
import { z } from 'zod';
import { createSecret, hashSecret } from '../tokens/secrets';
import type { SecretBox } from '@gantry/core-common';

const contentSchema = z.strictObject({
  issuer: z.string(),
  redirectUri: z.string(),
  returnTo: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Milliseconds of the epoch from which on the person has to have signed in at the provider; any sign-in counts without it. */
  signsInSince: z.number().exactOptional(),
});

/** A sign-in that has begun in a browser and waits for the answer of the provider. */
export type PendingSignIn = Readonly<z.infer<typeof contentSchema>>;

/** Sign-ins that wait. Each is found by its state together with the secret of the browser, once, within 10 minutes. */
export interface ProviderRequests {
  add(browser: string, wanted: Omit<PendingSignIn, 'state' | 'nonce' | 'codeVerifier'>): Promise<PendingSignIn>;
  /** @returns undefined for one that was taken before, has expired, or began in another browser */
  take(browser: string, state: string): Promise<PendingSignIn | undefined>;
}

export function createProviderRequests(database: Database, secretBox: SecretBox): ProviderRequests {
  return {
    async add(browser, wanted) {
      const [state, nonce, codeVerifier] = [createSecret(), createSecret(), createSecret()];
      const pending = { ...wanted, state, nonce, codeVerifier };
      const hash = keyOf(browser, state);
      await database.query('DELETE FROM gantry_provider_request WHERE expires_at < now()');
      await database.query(
        `INSERT INTO gantry_provider_request (token_hash, encrypted_content, expires_at)
         VALUES ($1, $2, now() + interval '10 minutes')`,
        [hash, secretBox.seal(JSON.stringify(pending), hash)],
      );
      return pending;
    },
    async take(browser, state) {
      const hash = keyOf(browser, state);
      const [row] = await database.query<{ readonly content: string }>(
        `DELETE FROM gantry_provider_request WHERE token_hash = $1 AND expires_at > now()
         RETURNING encrypted_content AS content`,
        [hash],
      );
      return row === undefined ? undefined : openContent(secretBox, row.content, hash);
    },
  };
}

/** @returns undefined when a process with another key has sealed it */
function openContent(secretBox: SecretBox, content: string, hash: string): PendingSignIn | undefined {
  try {
    return contentSchema.parse(JSON.parse(secretBox.open(content, hash)));
  } catch {
    return undefined;
  }
}

function keyOf(browser: string, state: string): string {
  return hashSecret(`${browser}.${state}`);
}
