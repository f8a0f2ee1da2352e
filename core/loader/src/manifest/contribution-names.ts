import { z } from 'zod';

/** How many contributions of a kind a plugin may have, by manifest and code. */
export const maxContributions = { metrics: 50, schedules: 20, settings: 50, seeds: 50 } as const;

/** The names of contributions, which manifest and code have in common. */
export const metricName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,59}$/, { error: 'must be 1 to 60 of a-z, 0-9 and _, beginning with a letter' });

export const contributionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be 1 to 40 of a-z, 0-9 and -, beginning with a letter' });

/** Of a member of an object. */
export const memberName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,59}$/, { error: 'must be 1 to 60 letters and digits, beginning with a small letter' });
