import { z } from 'zod';
import { fromDigits } from '../history/from-digits';

/** Number of entries of a page. @param byDefault without the parameter */
export function pageLimit(byDefault: number, max: number) {
  const error = `limit must be a number from 1 to ${max}`;
  const limit = z.int({ error }).min(1, { error }).max(max, { error });
  return z
    .preprocess(fromDigits(5), limit)
    .default(byDefault)
    .meta({ description: `Maximum number of entries; ${byDefault} unless given.` });
}

/** The run that is asked for; the newest one without it. */
export const runIdParameter = z
  .string()
  .min(1, { error: 'runId must be the id of a run; without it, the newest is shown' })
  .optional()
  .meta({ description: 'Id of an earlier run, such as the run before a reset.' });
