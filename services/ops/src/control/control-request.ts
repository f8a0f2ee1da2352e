import { isTextLine, namedResetPoints, resetWarningCodes, textLineRule } from '@gantry/contracts';
import { z } from 'zod';
import { fromDigits } from '../history/from-digits';

/** The requester and the reason are optional; Temporal keeps both in the history. */
const note = {
  reason: textLine('reason', 1_000, 'requested by the customer').default('no reason given'),
  requestedBy: textLine('requestedBy', 100, 'operator').default('unknown'),
};

/** POST /workflows/:workflowId/cancel and /terminate */
export const controlBody = z.strictObject(note).prefault({});

/** Why something is asked for, and by whom. */
export type AuditNote = Readonly<z.infer<typeof controlBody>>;

const maxArguments = 20;

/** POST /workflows/:workflowId/signal */
export const signalBody = z.strictObject({
  signal: textLine('signal', 200, 'paymentReceived'),
  args: z
    .array(
      z.unknown().refine((value) => !hasLostDigits(value), {
        error: 'args must not have integers beyond 9007199254740991; send such a number as text',
      }),
      { error: `args must be a list of at most ${maxArguments} JSON values` },
    )
    .max(maxArguments, { error: `args must be a list of at most ${maxArguments} JSON values` })
    .default([])
    .meta({ description: 'Arguments of the signal handler. The signals of the order services have no arguments.' }),
  ...note,
});

export type SignalRequest = Readonly<z.infer<typeof signalBody>>;

const resetPointRule = `to must be ${namedResetPoints.join(', ')} or the id of an event`;

/** POST /workflows/:workflowId/reset */
export const resetBody = z.strictObject({
  to: z.preprocess(
    fromDigits(9),
    z.union(
      [
        z.enum(namedResetPoints),
        z
          .int()
          .positive({ error: resetPointRule })
          .meta({ description: 'The id of an event that ends a workflow task.' }),
      ],
      { error: resetPointRule },
    ),
  ),
  runId: textLine('runId', 100).optional().meta({ description: 'Rejects the reset unless this is the newest run.' }),
  dryRun: z
    .boolean({ error: 'dryRun must be true or false' })
    .default(false)
    .meta({ description: 'Reports the steps to repeat and the warnings, and changes nothing.' }),
  acknowledge: z
    .array(z.enum(resetWarningCodes), {
      error: `acknowledge must be a list of codes of warnings: ${resetWarningCodes.join(', ')}`,
    })
    .max(resetWarningCodes.length)
    .default([])
    .meta({
      description: 'Codes of the warnings that a dry run reports; without them the reset is rejected with 409.',
    }),
  ...note,
});

export type ResetRequest = Readonly<z.infer<typeof resetBody>>;

/** Whether a number in the value is not the one that was sent. */
function hasLostDigits(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLostDigits);
}

function textLine(name: string, maxLength: number, example?: string) {
  const error = `${name} ${textLineRule(maxLength)}`;
  return z
    .string({ error })
    .refine((text) => isTextLine(text, maxLength), { error })
    .meta({ minLength: 1, maxLength, ...(example === undefined ? {} : { examples: [example] }) });
}
