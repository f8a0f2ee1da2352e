import { changeActions, changeSources, type DetailCode } from '@gantry/contracts';
import { invalidParameter } from '@gantry/plugin-api';
import { z } from 'zod';
import { isJsonObject, numberText, isStoredTime, count, instant } from '@gantry/core-common';
import { parsePosition } from '@gantry/core-database';
import { refusedParameter } from '@gantry/core-content';
import { oneOf, parsedBy, itemId, itemPath, parseText } from '@gantry/core-http';

const maxVersion = 2_147_483_647;
const version = z.int().min(1).max(maxVersion);
const positionText = z.string().meta({ description: 'A position of the change feed.', examples: ['1.5012.88'] });
const values = z.record(z.string(), z.unknown());

/** A change of an item, as JSON text of PostgreSQL has it. */
export const itemChange = z
  .object({
    position: positionText,
    at: instant,
    type: z.string().describe('Code of the item type.'),
    id: itemId,
    version,
    action: z.enum(changeActions).describe('`left`: the caller can no longer see the item.'),
    actor: z
      .string()
      .exactOptional()
      .describe('`user:12`, `local`, `plugin:order`, `system` or `database:` and a name.'),
    actorName: z.string().exactOptional().describe('Display name of the user.'),
    source: z.enum(changeSources).exactOptional(),
    requestId: z.string().exactOptional(),
    restoredVersion: version.exactOptional().describe('The version from which the item was restored.'),
    changed: z.array(z.string()).describe('Names of the fields that changed.'),
    values: values.exactOptional().describe('Values after the change; of a deleted item, its last values.'),
    previous: values.exactOptional().describe('Values before the change, of the fields that changed.'),
  })
  .meta({ id: 'ItemChange', description: 'A change of an item. Values are by field name, as rows have them.' });

export const deletedItem = z
  .object({
    id: itemId,
    version,
    label: z.string(),
    deletedAt: instant,
    actor: z.string().exactOptional(),
    actorName: z.string().exactOptional(),
    position: positionText,
  })
  .meta({ id: 'DeletedItem', description: 'A deleted item.' });

export const difference = z
  .object({
    field: z.string(),
    displayName: z.string(),
    type: z.string(),
    before: z.unknown(),
    after: z.unknown(),
  })
  .meta({ id: 'FieldDifference', description: 'A field in which two versions differ.' });

const failureDetail = z.looseObject({}).meta({ $ref: '#/$defs/FailureDetail' });

const restorePlan = z
  .object({
    version,
    isDeleted: z.boolean().describe('The item would exist again with the same id.'),
    changes: z.array(difference),
    problems: z.array(failureDetail),
  })
  .meta({ id: 'RestorePlan', description: 'The effect that a restore would have.' });

/** The row; with `check`, the effects that the restore would have. */
export const restored = z
  .union([restorePlan, z.object({ id: itemId, values })])
  .describe('The row; with `check`, the effects that the restore would have.');

const isVersion = (value: unknown): boolean => {
  const text = numberText(value) ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) >= 1 && Number(text) <= maxVersion;
};

/** Of a restore, with the numbers as they were sent. */
export const restoreBody = z
  .strictObject({
    version: z
      .unknown()
      .refine(isVersion, {
        error: 'must be a version of the item, a whole number from 1',
        params: { code: 'WRONG_TYPE' },
      })
      .transform((value) => Number(numberText(value)))
      .optional()
      .meta({
        ...{ type: 'integer', minimum: 1, maximum: maxVersion },
        description: 'The version to restore. Optional for a deleted item: its last version is the default.',
      }),
    check: z.boolean().default(false).describe('Reports the effects of the restore and changes nothing.'),
    without: z.array(z.string()).default([]).describe('Names of fields that are not restored.'),
    values: z
      .unknown()
      .refine(isJsonObject, { error: 'must be an object of values by field', params: { code: 'WRONG_TYPE' } })
      .default({})
      .meta({
        type: 'object',
        description:
          'Values by field, written in place of the values of the version. A field that has become required needs one.',
      }),
  })
  .prefault({})
  .meta({ examples: [{ version: 1, check: true }] });

export const newestMeta = z.object({ nextBefore: positionText.exactOptional().describe('Absent on the last page.') });
export const feedMeta = newestMeta.extend({
  next: positionText.exactOptional(),
  hasMore: z.boolean().exactOptional(),
});

const positionPattern = String.raw`\d{1,9}\.\d{1,18}\.\d{1,18}`;

const before = parsedBy('before', parsePosition)
  .optional()
  .meta({
    description: '`meta.nextBefore` of the previous page.',
    examples: ['1.5012.88'],
    pattern: `^${positionPattern}$`,
  });

/** Rows of a page at most. */
const maxChanges = 1_000;

function limit(byDefault: number) {
  return count(maxChanges).optional().meta({ type: 'integer', minimum: 1, maximum: maxChanges, default: byDefault });
}

export const newestQuery = z.object({ before, limit: limit(50) });

/** Parameters that only one of the two orders knows. */
const ofOrder = { newest: ['before', 'actor', 'action', 'from', 'to'], oldest: ['after'] } as const;
const orders = ['oldest', 'newest'] as const;

const time = (name: string) => parsedBy(name, parseTime).optional().meta({ format: 'date-time' });

const after = parsedBy('after', (name, text) => (text === 'latest' ? text : parsePosition(name, text)))
  .optional()
  .meta({
    description: 'A position, or `latest` for the end of the feed.',
    pattern: `^(latest|${positionPattern})$`,
  });

const types = z
  .string()
  .transform((text) => text.split(','))
  .optional()
  .meta({ description: 'Type codes, separated by commas; all unless given.' });

export const streamQuery = z.object({ after, types });

export const feedQuery = z
  .object({
    after,
    types,
    limit: limit(100),
    order: oneOf('order', orders).default('oldest').meta({ enum: orders, default: 'oldest' }),
    before,
    actor: parsedBy('actor', parseText).optional(),
    action: oneOf('action', changeActions).optional().meta({ enum: changeActions }),
    from: time('from'),
    to: time('to'),
  })
  .superRefine((query, context) => {
    const other = query.order === 'newest' ? 'oldest' : 'newest';
    for (const name of ofOrder[other].filter((one) => query[one] !== undefined)) {
      context.addIssue({ code: 'custom', path: [name], message: `${name} is accepted only with order=${other}` });
    }
  });

/** @throws GantryError BAD_REQUEST */
function parseTime(name: string, text: string): string {
  const parsed = /^\d{4}-\d{2}-\d{2}(T[\d:.]{4,15}(Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (isStoredTime(parsed)) return parsed.toISOString();
  throw refusedParameter(name, 'WRONG_TYPE', 'a time, such as 2026-11-24T08:00:00Z', text);
}

/** @throws GantryError BAD_REQUEST */
function parseVersion(name: string, text: string): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxVersion) return number;
  throw invalidParameter(
    name,
    `${name} must be a version of the item, a whole number from 1`,
    (text === '' ? 'REQUIRED' : 'WRONG_TYPE') satisfies DetailCode,
  );
}

function versionParameter(name: string) {
  return z
    .unknown()
    .transform((text) => (typeof text === 'string' ? text : ''))
    .pipe(parsedBy(name, parseVersion))
    .meta({ type: 'integer', minimum: 1, maximum: maxVersion });
}

export const versionPath = itemPath.extend({ version: versionParameter('version') });
export const differencesQuery = z.object({ from: versionParameter('from'), to: versionParameter('to') });

/** An event of the stream of changes. */
export const changeEvent = z
  .object({
    event: z.enum(['ready', 'change', 'position']),
    id: z.string().describe('The position.'),
    data: z.string().describe('The change as JSON for the event `change`, otherwise `{}`.'),
  })
  .describe('An event.');
