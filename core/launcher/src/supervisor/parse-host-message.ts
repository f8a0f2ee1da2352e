import { crashEvidences, type HostMessage, type StartupReport } from '@gantry/contracts';
import { z } from 'zod';

const entered = { plugin: z.string(), phase: z.string() };

const attribution = z.object({ plugin: z.string(), evidence: z.enum(crashEvidences), detail: z.string() });

const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entering'), ...entered, timeoutMs: z.number().nonnegative() }),
  z.object({ kind: z.literal('left'), ...entered }),
  z.object({ kind: z.literal('alive'), memory: z.number().exactOptional() }),
  z.object({
    kind: z.literal('ready'),
    address: z.string(),
    report: z.custom<StartupReport>(
      (value) => typeof value === 'object' && value !== null && 'plugins' in value && Array.isArray(value.plugins),
    ),
    types: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('change'),
    id: z.string(),
    action: z.enum(['enable', 'disable']),
    decisions: z.record(
      z.string(),
      z.discriminatedUnion('enabled', [
        z.object({ enabled: z.literal(false) }),
        z
          .object({
            enabled: z.literal(true),
            version: z.string(),
            contentHash: z.string(),
            folder: z.string().optional(),
          })
          .transform(({ folder, ...pin }) => (folder === undefined ? pin : { ...pin, folder })),
      ]),
    ),
  }),
  z.object({
    kind: z.literal('plugins'),
    plugins: z.array(z.object({ id: z.string(), folder: z.string(), isRequired: z.boolean() })),
  }),
  z.object({ kind: z.literal('crash'), error: z.string(), attribution: attribution.exactOptional() }),
  z.object({ kind: z.literal('memory'), attribution: attribution.exactOptional() }),
  z.object({ kind: z.literal('socket') }),
  z.object({ kind: z.literal('fatal'), code: z.string(), message: z.string(), remedy: z.string() }),
]);

/** @returns undefined for anything else: plugins share the channel's process and may send other messages. */
export function parseHostMessage(message: unknown): HostMessage | undefined {
  return schema.safeParse(message).data;
}
