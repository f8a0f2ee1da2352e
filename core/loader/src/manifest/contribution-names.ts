import { z } from 'zod';

/** How many contributions of a kind a plugin may have, by manifest and code. */
export const maxContributions = {
  metrics: 50,
  schedules: 20,
  settings: 50,
  seeds: 50,
  homeCards: 10,
  tablePages: 20,
} as const;

/** The names of contributions, which manifest and code have in common. */
export const metricName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,59}$/, { error: 'must be 1 to 60 of a-z, 0-9 and _, beginning with a letter' });

export const contributionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be 1 to 40 of a-z, 0-9 and -, beginning with a letter' });

/** Of a member of an object. */
export const memberName = z.string().regex(/^[a-z][A-Za-z0-9]{0,59}$/, {
  error: 'must be 1 to 60 letters and digits, beginning with a lower-case letter',
});

/** Of a page, or of a card on one. */
export const pageTitle = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(60, { error: 'must have at most 60 characters' });

export const iconName = z.string().regex(/^[a-z][a-z-]*$/, { error: 'must be a name of a-z and -' });
