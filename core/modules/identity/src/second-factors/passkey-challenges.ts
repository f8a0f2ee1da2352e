import type { Database } from '@gantry/plugin-api';
import { createSecret, hashSecret } from '../tokens/secrets';

/** The purpose of a challenge; one for the sign-in sets up no passkey. */
export type ChallengePurpose = 'registration' | 'sign-in' | 'one-time-link' | 'presence';

/** Minutes in which a person answers the browser. */
export const challengeMinutes = 5;
/** The latest of a person and purpose; earlier ones are of pages that were left. */
const maxChallenges = 10;

/** Makes a challenge, in the database: the answer may reach another process of the platform. */
export async function createChallenge(database: Database, userId: string, purpose: ChallengePurpose): Promise<string> {
  const challenge = createSecret();
  await database.query(
    `DELETE FROM gantry_passkey_challenge WHERE expires_at < now() OR id IN (
       SELECT id FROM gantry_passkey_challenge WHERE user_id = $1 AND purpose = $2 ORDER BY id DESC OFFSET $3)`,
    [userId, purpose, maxChallenges - 1],
  );
  await database.query(
    `INSERT INTO gantry_passkey_challenge (token_hash, user_id, purpose, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(mins => $4))`,
    [hashSecret(challenge), userId, purpose, challengeMinutes],
  );
  return challenge;
}

/** @returns whether the challenge was made for that person and purpose and is not used or expired; it is used then */
export async function useChallenge(
  database: Database,
  userId: string,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<boolean> {
  const used = await database.query(
    `DELETE FROM gantry_passkey_challenge
     WHERE token_hash = $1 AND user_id = $2 AND purpose = $3 AND expires_at > now() RETURNING id`,
    [hashSecret(challenge), userId, purpose],
  );
  return used.length > 0;
}
