import type { DetailCode } from '@gantry/contracts';
import { GantryError, isGantryError, type Database, type Logger } from '@gantry/plugin-api';

/** A request with a key. */
export interface KeyedRequest {
  /** Whose keys they are. */
  readonly caller: string;
  /** The route: keys of different ones have nothing to do with each other. */
  readonly operation: string;
  readonly key: string;
  /** Of all that the route is given. */
  readonly hash: string;
}

/** Finds the first answer to a request that is sent again. */
export interface AnsweredRequests {
  /**
   * Does the work of a request, or gives what it gave when the request came with the same key before. Work is never done a second time
   * unless it was refused with a status below 500 the first time.
   * @param work its answer as text
   * @throws GantryError CONFLICT where the first request is still worked on, where it is not known what became of it, or where it was another one
   */
  once(request: KeyedRequest, work: () => Promise<string>): Promise<string>;
}

/** After that time, a request that has no answer is not worked on any more. */
const longestWorkSeconds = 120;
const retentionHours = 24;
/** Of the text of an answer; a longer one is not stored. */
const maxLength = 1_000_000;
const pauseBetweenRemovalsMs = 600_000;

export function createAnsweredRequests(database: Database, logger: Logger): AnsweredRequests {
  let removedAt = -Infinity;
  const removeExpired = async (): Promise<void> => {
    if (performance.now() - removedAt < pauseBetweenRemovalsMs) return;
    removedAt = performance.now();
    await database.query(`DELETE FROM public.gantry_answered_request WHERE begun_at < ${expiry}`);
  };
  return {
    async once(request, work) {
      await removeExpired();
      const id = await begin(database, request);
      if (id === undefined) return findAnswer(database, request);
      try {
        const answer = await work();
        await keep(database, id, answer).catch((err: unknown) =>
          logger.warn({ err, operation: request.operation }, 'an answer could not be stored for its key'),
        );
        return answer;
      } catch (error) {
        if (isRefusal(error)) await forget(database, id);
        throw error;
      }
    },
  };
}

const expiry = `now() - interval '${retentionHours} hours'`;

/** @returns undefined where a request with the key came before */
async function begin(database: Database, { caller, operation, key, hash }: KeyedRequest): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(
    `INSERT INTO public.gantry_answered_request AS earlier (caller, operation, key, request_hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (caller, operation, key) DO UPDATE SET request_hash = EXCLUDED.request_hash, answer = NULL, begun_at = now()
     WHERE earlier.begun_at < ${expiry} RETURNING id::text`,
    [caller, operation, key, hash],
  );
  return row?.id;
}

interface Earlier {
  readonly isSame: boolean;
  readonly answer: string | null;
  readonly isRecent: boolean;
}

async function findAnswer(database: Database, { caller, operation, key, hash }: KeyedRequest): Promise<string> {
  const [earlier] = await database.query<Earlier>(
    `SELECT request_hash = $4 AS "isSame", answer, begun_at > now() - interval '${longestWorkSeconds} seconds' AS "isRecent"
     FROM public.gantry_answered_request WHERE caller = $1 AND operation = $2 AND key = $3`,
    [caller, operation, key, hash],
  );
  if (earlier?.isSame === false) {
    throw conflict('KEY_OF_ANOTHER_REQUEST', 'The key was sent with another request before. Send a new key.');
  }
  if (typeof earlier?.answer === 'string') return earlier.answer;
  // A request that was refused meanwhile has no row any more.
  if (earlier?.isRecent !== false) {
    throw conflict('KEY_IN_USE', 'The first request with the key is in progress. Try again in a moment.', '1');
  }
  throw conflict(
    'OUTCOME_UNKNOWN',
    'The outcome of the first request with the key is unknown. Check whether its change was made before you send a new key.',
  );
}

function conflict(code: DetailCode, message: string, retryAfter?: string): GantryError {
  return new GantryError('CONFLICT', message, {
    details: [{ path: 'Idempotency-Key', code, message }],
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfter } }),
  });
}

async function keep(database: Database, id: string, answer: string): Promise<void> {
  if (answer.length > maxLength) return;
  await database.query('UPDATE public.gantry_answered_request SET answer = $2 WHERE id = $1', [id, answer]);
}

/** Of a refusal, nothing was done. */
function isRefusal(error: unknown): boolean {
  return isGantryError(error) && error.status < 500;
}

async function forget(database: Database, id: string): Promise<void> {
  await database.query('DELETE FROM public.gantry_answered_request WHERE id = $1', [id]);
}
