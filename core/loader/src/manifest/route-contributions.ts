import { z } from 'zod';
import { contributionName, iconName, pageTitle } from './contribution-names';

const member = z
  .string()
  .regex(/^[A-Za-z_]\w{0,59}$/, { error: 'must be the name of a member of the rows: letters, digits and _' });

/** A command as a manifest declares it. */
export const command = z.strictObject({
  name: contributionName,
  route: z
    .string()
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(500, { error: 'must have at most 500 characters' }),
});

/** A card of the home page as a manifest declares it. */
export const homeCard = command.extend({
  title: pageTitle,
  text: member,
  value: member.optional(),
  link: z
    .string()
    .max(500, { error: 'must have at most 500 characters' })
    .regex(/^\/(?!\/)[\w\-./?=&%]*(?:\{\w+\}[\w\-./?=&%]*)*$/, {
      error: 'must be an address below /admin such as /content/hive/{id}',
    })
    .optional(),
});

/** A page that is a table as a manifest declares it. */
export const tablePage = command.extend({
  title: pageTitle,
  icon: iconName.optional(),
  columns: z.array(member).min(1).max(20).optional(),
  actions: z.array(contributionName).max(20).optional(),
});
