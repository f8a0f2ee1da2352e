import { isTextLine, maxSettlementReasonLength, settlementOutcomes, textLineRule } from '@gantry/contracts';
import { z } from 'zod';

const requestedBy = textLine('requestedBy', 100, 'operator').optional();

/** Why an operation is asked for, and by whom; the memo of its workflow keeps both. */
export const auditNote = z.strictObject({
  reason: textLine('reason', 1_000, 'the parcel was lost').optional(),
  requestedBy,
});

export type AuditNote = Readonly<z.infer<typeof auditNote>>;

/** How an order was settled, why, and who says so. */
export const settlement = z.strictObject({
  outcome: z.enum(settlementOutcomes, { error: `outcome must be ${settlementOutcomes.join(' or ')}` }),
  reason: textLine('reason', maxSettlementReasonLength, 'the bank returned the money'),
  requestedBy,
});

export type Settlement = Readonly<z.infer<typeof settlement>>;

/** Why nothing more has to be done about an order that has failed, and who says so. */
export const acknowledgementNote = z.strictObject({
  reason: textLine('reason', 1_000, 'the order was entered by mistake'),
  requestedBy,
});

export type AcknowledgementNote = Readonly<z.infer<typeof acknowledgementNote>>;

/** Of a route by which a person decides about an order. */
export const deciding = {
  method: 'POST',
  access: { permission: 'order.control' },
  errors: ['VALIDATION_FAILED', 'ORDER_NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
} as const;

function textLine(name: string, maxLength: number, example: string) {
  const error = `${name} ${textLineRule(maxLength)}`;
  return z
    .string({ error })
    .refine((text) => isTextLine(text, maxLength), { error })
    .meta({ minLength: 1, maxLength, examples: [example] });
}
