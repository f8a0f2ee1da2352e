import { z } from 'zod';

/** Lower case, so that no two roles differ in nothing but their case. */
export const roleName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,59}$/, 'must be a name such as price-editor: a-z, 0-9 and -, at most 60 characters');
