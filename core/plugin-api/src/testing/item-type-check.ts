import { strict as assert } from 'node:assert';
import type { FormField, ItemMetadata } from '@gantry/contracts';
import type { Testbed } from './bench';
import type { Answer } from './platform-client';

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

export function assertStatus(answer: Answer, status: number): void {
  assert.equal(answer.status, status, `Expected ${status}: ${answer.summary}`);
}

/** A refusal: its status, its code, and that it names every one of `paths`. */
export function assertRefused(answer: Answer, status: number, code: string, paths: readonly string[] = []): void {
  assertStatus(answer, status);
  assert.equal(answer.error?.code, code, `Expected the code ${code}: ${answer.summary}`);
  const named = new Set(answer.error.details?.map(({ path }) => path));
  const missing = paths.filter((path) => !named.has(path));
  assert.deepEqual(missing, [], `The details do not name ${missing.join(', ')}: ${answer.summary}`);
}

/** What was sent for a field, as a row shows it reduced to what was sent: references without their labels. */
export function withoutLabels(field: FormField, presented: unknown): unknown {
  if (field.type !== 'REFERENCE') return presented;
  return Array.isArray(presented) ? presented.map(idOf) : idOf(presented);
}

function idOf(presented: unknown): unknown {
  return typeof presented === 'object' && presented !== null && 'id' in presented ? presented.id : presented;
}
