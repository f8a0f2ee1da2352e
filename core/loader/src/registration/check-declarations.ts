import { isJsonObject } from '@gantry/core-common';
import { namedContributions, type PluginProblem } from '@gantry/contracts';
import type { PluginDefinition } from '@gantry/plugin-api';
import { z } from 'zod';
import { boundedList } from '../manifest/bounded-list';
import { contributionName, maxContributions, metricName } from '../manifest/contribution-names';
import { createProblem } from '../problem-kinds';
import { isCron } from './cron';

const code = z.custom((value) => typeof value === 'function', { error: 'must be a function' });
const text = (max: number) => z.string().trim().min(1, { error: 'must not be empty' }).max(max);

const maxSeries = 100;
const maxBuckets = 20;

const metric = z
  .strictObject({
    name: metricName,
    kind: z.enum(['counter', 'gauge', 'histogram']),
    help: text(300),
    labels: z
      .record(
        z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, { error: 'must have names of a-z, 0-9 and _' }),
        z.array(text(100)).min(1),
      )
      .refine((labels) => Object.values(labels).reduce((count, values) => count * values.length, 1) <= maxSeries, {
        error: `must have at most ${maxSeries} combinations of values`,
      })
      .refine((labels) => !('le' in labels) && !('plugin' in labels), { error: 'must not be named le or plugin' })
      .optional(),
    buckets: z
      .array(z.number())
      .min(1)
      .max(maxBuckets)
      .refine((bounds) => bounds.every((bound, index) => index === 0 || bound > Number(bounds[index - 1])), {
        error: 'must be in rising order',
      })
      .optional(),
    read: code.optional(),
  })
  .refine(({ kind, buckets }) => buckets === undefined || kind === 'histogram', {
    path: ['buckets'],
    error: 'is for histograms',
  })
  .refine(({ kind, read }) => read === undefined || kind === 'gauge', { path: ['read'], error: 'is for gauges' });

const day = 86_400_000;

const schedule = z
  .strictObject({
    name: contributionName,
    cron: z.string().refine(isCron, { error: 'must have five fields such as "0 3 * * MON-FRI"' }).optional(),
    timeZone: z.string().refine(isTimeZone, { error: 'must be a time zone such as Europe/Berlin' }).optional(),
    intervalMs: z
      .int()
      .min(10_000, { error: 'must be at least 10000' })
      .max(400 * day)
      .optional(),
    overlap: z.enum(['skip', 'wait', 'allow']).optional(),
    timeoutMs: z.int().min(1_000).max(day).optional(),
    maxAttempts: z.int().min(1).max(100).optional(),
    run: code,
  })
  .refine(({ cron, intervalMs }) => (cron === undefined) !== (intervalMs === undefined), {
    error: 'must have either cron or intervalMs',
  })
  .refine(({ cron, timeZone }) => timeZone === undefined || cron !== undefined, {
    path: ['timeZone'],
    error: 'is for cron',
  });

const seed = z.strictObject({
  name: contributionName,
  type: text(63),
  by: z.array(text(200)).min(1),
  rows: z.union([boundedList(z.record(z.string(), z.unknown()), 1_000), code], {
    error: 'must be a list of at most 1000 objects, or a function',
  }),
});

/** The lists of the definition; their names are compared with the manifest elsewhere. */
const declarations = {
  metrics: boundedList(metric, maxContributions.metrics),
  schedules: boundedList(schedule, maxContributions.schedules),
  seeds: boundedList(seed, maxContributions.seeds),
} as const;

/** Declarations that the platform reads, with all problems of all of them. */
export function checkDeclarations(definition: PluginDefinition): readonly PluginProblem[] {
  return Object.entries(declarations).flatMap(([member, schema]) => {
    const kind = member as keyof typeof declarations;
    const given: unknown = definition[kind];
    const checked = schema.optional().safeParse(given);
    return (checked.error?.issues ?? []).map((issue) => problemOf(kind, given, issue));
  });
}

function problemOf(member: keyof typeof declarations, given: unknown, issue: z.core.$ZodIssue): PluginProblem {
  const [index, ...path] = issue.path;
  const { one } = namedContributions[member];
  const where = typeof index === 'number' ? `The ${one} ${nameOf(given, index)}` : `The member ${member}`;
  const what = path.length === 0 ? '' : `${path.join('.')} `;
  const found = `${where}: ${what}${issue.message}`;
  return createProblem('CONTRIBUTION_INVALID', found, `Correct ${member} of definePlugin`);
}

function nameOf(given: unknown, index: number): string {
  const entry: unknown = Array.isArray(given) ? given[index] : undefined;
  const name = isJsonObject(entry) ? entry['name'] : undefined;
  return typeof name === 'string' ? `"${name.slice(0, 60)}"` : `number ${index + 1}`;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
