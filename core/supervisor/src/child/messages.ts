import { crashEvidences, pluginChangeActions } from '@gantry/contracts';
import type { GenerationsReport, HostMessage, HostStart, StartupReport } from '@gantry/contracts';
import { z } from 'zod';

/** A package that was installed by command. */
export const installedSchema = z.object({
  packageName: z.string(),
  version: z.string(),
  contentHash: z.string(),
  source: z.enum(['registry', 'tarball', 'folder']),
  from: z.string(),
  integrity: z.string().exactOptional(),
  lock: z.record(z.string(), z.unknown()).exactOptional(),
  by: z.string(),
  at: z.string(),
});

/** Decisions about plugins, by plugin id. */
export const decisionsSchema = z.record(
  z.string(),
  z.discriminatedUnion('enabled', [
    z.object({ enabled: z.literal(false), installed: installedSchema.exactOptional() }),
    z.object({
      enabled: z.literal(true),
      version: z.string(),
      contentHash: z.string(),
      folder: z.string().exactOptional(),
      host: z.string().exactOptional(),
      installed: installedSchema.exactOptional(),
    }),
  ]),
);

const followSchema = z.object({
  revision: z.string(),
  generation: z.number().int(),
  plugins: decisionsSchema,
  removed: z.array(z.string()),
  isOwn: z.boolean().exactOptional(),
});

export const quarantineSchema = z.object({
  plugin: z.string(),
  phase: z.string(),
  code: z.string(),
  reason: z.string(),
});

const hostStartSchema = z.object({
  kind: z.literal('start'),
  environment: z.record(z.string(), z.string()),
  quarantines: z.array(quarantineSchema),
  listenFd: z.number().int().nonnegative().exactOptional(),
  generations: z
    .custom<GenerationsReport>((value) => hasList(value, 'changes'), { error: 'must be a report of generations' })
    .exactOptional(),
  successor: z
    .object({
      decisions: decisionsSchema,
      mustStart: z.array(z.string()),
      follow: followSchema.exactOptional(),
    })
    .exactOptional(),
  isRestart: z.boolean().exactOptional(),
});

/**
 * For the child: the message that it starts with.
 * @throws Error that names every member which is missing or wrong
 */
export function parseStart<T>(schema: z.ZodType<T>, message: unknown): T {
  const parsed = schema.safeParse(message);
  if (parsed.success) return parsed.data;
  const problems = z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ');
  throw new Error(`the message with which this process was started is not valid: ${problems}`);
}

/** For the host. @throws Error that names every member which is missing or wrong */
export function parseHostStart(message: unknown): HostStart {
  return parseStart(hostStartSchema, message);
}

const entered = { plugin: z.string(), phase: z.string() };

const attribution = z.object({ plugin: z.string(), evidence: z.enum(crashEvidences), detail: z.string() });

const hostMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entering'), ...entered, timeoutMs: z.number().nonnegative() }),
  z.object({ kind: z.literal('left'), ...entered }),
  z.object({ kind: z.literal('alive'), memory: z.number().exactOptional() }),
  z.object({
    kind: z.literal('ready'),
    address: z.string(),
    report: z.custom<StartupReport>((value) => hasList(value, 'plugins')),
    types: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('change'),
    id: z.string(),
    action: z.enum(pluginChangeActions),
    decisions: decisionsSchema,
    follow: followSchema.exactOptional(),
  }),
  z.object({
    kind: z.literal('plugins'),
    plugins: z.array(z.object({ id: z.string(), folder: z.string(), isRequired: z.boolean() })),
  }),
  z.object({ kind: z.literal('crash'), error: z.string(), attribution: attribution.exactOptional() }),
  z.object({ kind: z.literal('socket') }),
  z.object({ kind: z.literal('fatal'), code: z.string(), message: z.string(), remedy: z.string() }),
]);

/** @returns undefined for anything else: plugins share the channel's process and may send other messages. */
export function parseHostMessage(message: unknown): HostMessage | undefined {
  return hostMessageSchema.safeParse(message).data;
}

/** Reports of the platform itself are long, and read by the same version that wrote them: their shape is enough. */
function hasList(value: unknown, member: string): boolean {
  return typeof value === 'object' && value !== null && Array.isArray((value as Record<string, unknown>)[member]);
}
