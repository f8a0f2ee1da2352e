import {
  isTextLine,
  maxSettlementReasonLength,
  orderIdSchema,
  settlementOutcomes,
  textLineRule,
} from '@gantry/contracts';
import { z } from 'zod';

const requestedBy = textLine('requestedBy', 100, 'operator').optional();

/** Why an operation is asked for, and by whom; the memo of its workflow keeps both. */
const operation = z.strictObject({ reason: textLine('reason', 1_000, 'the parcel was lost').optional(), requestedBy });

export type AuditNote = Readonly<z.infer<typeof operation>>;

/** POST /orders/:orderId/refund and /redelivery */
export const operationSchemas = { params: orderIdSchema, body: operation.default({}) };

/** POST /orders/:orderId/settlement */
export const settlementSchemas = {
  params: orderIdSchema,
  // For a request without a body, all members are reported as missing.
  body: z
    .strictObject({
      outcome: z.enum(settlementOutcomes, { error: `outcome must be ${settlementOutcomes.join(' or ')}` }),
      reason: textLine('reason', maxSettlementReasonLength, 'the bank returned the money'),
      requestedBy,
    })
    .prefault({} as never),
};

/** POST /orders/:orderId/acknowledgement */
export const acknowledgementSchemas = {
  params: orderIdSchema,
  body: z
    .strictObject({ reason: textLine('reason', 1_000, 'the order was entered by mistake'), requestedBy })
    // For a request without a body, all members are reported as missing.
    .prefault({} as never),
};

export type Settlement = Readonly<z.infer<typeof settlementSchemas.body>>;

function textLine(name: string, maxLength: number, example: string) {
  const error = `${name} ${textLineRule(maxLength)}`;
  return z
    .string({ error })
    .refine((text) => isTextLine(text, maxLength), { error })
    .meta({ minLength: 1, maxLength, examples: [example] });
}
