import { createPlatformCaller } from '@gantry/client/platform';
import { request, type Request } from '../request';

type Sending = Pick<Request, 'signal' | 'timeoutMs' | 'headers'>;

/** Calls the platform's own routes, with the types of their contracts. */
export const callPlatform = createPlatformCaller<AbortSignal | Sending | undefined>(
  (method, address, body, sending, file) =>
    request(address, {
      method,
      ...(file === undefined ? {} : { file }),
      ...(method === 'GET' || file !== undefined ? {} : { body: body ?? {} }),
      ...(sending instanceof AbortSignal ? { signal: sending } : sending),
    }),
);
