import type { ExplanationCode, ShownGrant } from '@gantry/contracts';

/** Whether a user may do something, and why. */
export interface Explanation {
  readonly allowed: boolean;
  readonly code: ExplanationCode;
  /** The roles, and of items their grants, that allow it. */
  readonly by: readonly ({ readonly role: string } & Partial<Pick<ShownGrant, 'on' | 'where' | 'hidesConditions'>>)[];
  /** One sentence. */
  readonly reason: string;
}

/** Why something is not allowed: a code and words. */
export type Refusal = readonly [code: ExplanationCode, reason: string];

export function refused(code: ExplanationCode, reason: string): Explanation {
  return { allowed: false, code, by: [], reason };
}

export function allowed(by: Explanation['by'], reason: string): Explanation {
  return { allowed: true, code: 'ALLOWED', by, reason };
}
