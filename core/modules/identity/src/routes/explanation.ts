import { explanationCodes, type ExplanationCode } from '@gantry/contracts';
import type { Immutable } from '@gantry/plugin-api';
import { z } from 'zod';
import { shownGrant } from '../roles/role-schemas';

const codes = Object.keys(explanationCodes) as [ExplanationCode, ...ExplanationCode[]];
const meanings = Object.entries(explanationCodes).map(([code, meaning]) => `\`${code}\`: ${meaning}.`);
const { on, where, hidesConditions } = shownGrant.shape;

/** Whether a user may do something, and why. */
export const explanation = z
  .object({
    allowed: z.boolean(),
    code: z.enum(codes).describe(meanings.join(' ')),
    by: z
      .array(z.object({ role: z.string(), on: on.exactOptional(), where, hidesConditions }))
      .describe('The roles that allow it; for a right on items, with the grants.'),
    reason: z.string().describe('The reason in one sentence.'),
  })
  .meta({ id: 'Explanation', description: 'The roles and grants that allow it, or the reason for the refusal.' });

export type Explanation = Immutable<z.infer<typeof explanation>>;

/** Why something is not allowed: a code and words. */
export type Refusal = readonly [code: ExplanationCode, reason: string];

export function refused(code: ExplanationCode, reason: string): Explanation {
  return { allowed: false, code, by: [], reason };
}

export function allowed(by: Explanation['by'], reason: string): Explanation {
  return { allowed: true, code: 'ALLOWED', by, reason };
}
