import { strict as assert } from 'node:assert';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import type { Testbed } from '../bench';
import type { Answer } from '../platform-client';

/** A check of one item type on a running platform. Its name follows the type code. */
export interface ItemTypeCheck {
  readonly name: string;
  readonly run: (testbed: Testbed) => Promise<void>;
}

/** A check of a type that can be written; a read-only type has nothing to show here. */
export function writeCheck(
  type: string,
  name: string,
  run: (testbed: Testbed, metadata: ItemMetadata) => Promise<void>,
): ItemTypeCheck {
  return {
    name,
    async run(testbed) {
      const metadata = await testbed.items.metadata(type);
      if (!metadata.readOnly) await run(testbed, metadata);
    },
  };
}

/** A check that creates or deletes items, which a singleton does not let anybody do. */
export function createCheck(type: string, name: string, run: Parameters<typeof writeCheck>[2]): ItemTypeCheck {
  return writeCheck(type, name, async (testbed, metadata) => {
    if (metadata.singleton !== true) await run(testbed, metadata);
  });
}

export function assertStatus(answer: Answer, status: number): void {
  assert.equal(answer.status, status, `Expected ${status}: ${answer.summary}`);
}

/** A refusal: its status, its code, and that it names every one of `paths`, or a part of it: `story.content[1].type`. */
export function assertRefused(answer: Answer, status: number, code: string, paths: readonly string[] = []): void {
  assertStatus(answer, status);
  assert.equal(answer.error?.code, code, `Expected the code ${code}: ${answer.summary}`);
  const named = answer.error.details ?? [];
  const missing = paths.filter((path) => !named.some((detail) => isWithin(detail.path, path)));
  assert.deepEqual(missing, [], `The details do not name ${missing.join(', ')}: ${answer.summary}`);
}

/** Whether a path of a detail is that of a field, or of a part of its value. */
export function isWithin(path: string, field: string): boolean {
  return path === field || (path.startsWith(field) && /^[.[]/.test(path.slice(field.length)));
}

/** A value in the form in which what was sent and what a row shows are equal: a reference as its id, an instant or time of day with its milliseconds. */
export function comparable(field: FormField, value: unknown): unknown {
  if (field.type === 'REFERENCE') return Array.isArray(value) ? value.map(idOf) : idOf(value);
  if (field.type === 'LINK') return Array.isArray(value) ? value.map(linkOf) : linkOf(value);
  if (typeof value !== 'string') return value;
  if (field.type === 'DATETIME') return Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString();
  return field.type === 'TIME' ? withMilliseconds(value) : value;
}

/** Of a time of day: `09:30` is 09:30:00.000. */
function withMilliseconds(time: string): string {
  const [, minutes, seconds = ':00', fraction = ''] = /^(\d\d:\d\d)(:\d\d)?(?:\.(\d{1,3}))?$/.exec(time) ?? [];
  return minutes === undefined ? time : `${minutes}${seconds}.${fraction.padEnd(3, '0')}`;
}

/** Of a link in a row, `product/5`. */
function linkOf(value: unknown): unknown {
  const isRow = typeof value === 'object' && value !== null && 'type' in value && 'id' in value;
  return isRow ? `${String(value.type)}/${String(value.id)}` : value;
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
}
