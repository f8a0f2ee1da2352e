import { messageOf } from '@gantry/core-common';
import type { ErrorDetail } from '@gantry/contracts';
import { GantryError, invalidValue } from '@gantry/plugin-api';
import {
  shownAuthorFields,
  type FieldDescriptor,
  type ItemTypeDescriptor,
  type ItemTypes,
  bindCriterion,
} from '@gantry/core-content';
import { assertPublicHost } from '../sending/address-check';
import type { WebhookCondition } from '../sending/webhook-schemas';

export interface DeliverableDependencies {
  /** The types in use. */
  readonly types: () => ItemTypes;
  /** Whether requests may go to loopback and private addresses. */
  readonly allowsPrivateAddresses: boolean;
}

/** The new members of a webhook, and the types that it has already. */
interface WebhookSettings {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly filter?: readonly WebhookCondition[];
  readonly keptTypes?: readonly string[];
}

/** Refuses what could never be delivered. @throws GantryError VALIDATION_FAILED */
export function assertDeliverable(
  { types, allowsPrivateAddresses }: DeliverableDependencies,
  { url, types: wanted, filter = [], keptTypes = [] }: WebhookSettings,
): void {
  if (url !== undefined && !allowsPrivateAddresses) assertPublicUrl(url);
  // The plugin of a type that the webhook has already may not be in use now.
  assertTypes((wanted ?? []).filter((type) => !keptTypes.includes(type) && types().find(type) === undefined));
  assertFilter(filter, wanted ?? keptTypes, types());
}

/** Names are looked up with each request; an address that is written in the URL is known now. */
function assertPublicUrl(url: string): void {
  try {
    assertPublicHost(new URL(url).hostname);
  } catch (error) {
    throw invalidValue('url', `url: ${messageOf(error)}`);
  }
}

function assertTypes(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const message = `types: there is no item type ${unknown.join(', ')}`;
  throw new GantryError('VALIDATION_FAILED', `${message}. See GET /api/cms/items/types.`, {
    details: [{ path: 'types', code: 'VALUE_INVALID', message }],
  });
}

/** A condition has to be one that an item of some type can meet. */
function assertFilter(filter: readonly WebhookCondition[], codes: readonly string[], types: ItemTypes): void {
  const found = codes.map((code) => types.find(code));
  // Fields of a type that is not in use are not known.
  if (found.includes(undefined)) return;
  const compared = codes.length === 0 ? types.served() : found.flatMap((type) => type ?? []);
  const details = filter.flatMap((condition, index) =>
    problemsOf(
      condition,
      `filter[${index}]`,
      compared.map(({ descriptor }) => descriptor),
    ),
  );
  if (details.length === 0) return;
  throw new GantryError('VALIDATION_FAILED', `${details.map(({ message }) => message).join('; ')}.`, { details });
}

function problemsOf(
  { field: name, value }: WebhookCondition,
  path: string,
  types: readonly ItemTypeDescriptor[],
): readonly ErrorDetail[] {
  const fields = types.flatMap((type) =>
    [...type.fields, ...shownAuthorFields(type)].filter((one) => one.name === name),
  );
  if (fields.length === 0) {
    const message = `${path}.field: none of the types has the field ${JSON.stringify(name)}`;
    return [{ path: `${path}.field`, code: 'UNKNOWN_FIELD', message }];
  }
  if (value === '' || fields.some((field) => canHold(field, value))) return [];
  const message = `${path}.value: ${name} never has the value ${JSON.stringify(value)}`;
  return [{ path: `${path}.value`, code: 'VALUE_INVALID', message }];
}

function canHold(field: FieldDescriptor, value: string): boolean {
  return !('message' in bindCriterion(field, 'EQUALS', value));
}
