import { changeActions, type DeliveredAction } from '@gantry/contracts';
import { z } from 'zod';
import { isStoredTime } from '../../common/stored-time';
import { lineOfText, storedText } from '../../identity';

const deliveredActions = changeActions.filter((action): action is DeliveredAction => action !== 'left');

const urlExpected =
  'must be an address that begins with https:// or http://, without a name and password, such as https://example.com/hooks';
const headerExpected =
  'must be a header field that the webhook may have: the name is letters, digits and hyphens; Content-*, Host, Connection, User-Agent, Transfer-Encoding and Webhook-* are set by the platform';

/** Header fields that belong to the request itself. */
const reserved =
  /^(content-.*|host|connection|user-agent|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|webhook-.*)$/i;

const url = storedText(2_000).refine((text) => isTarget(text), { error: urlExpected });

const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9-]+$/, { error: headerExpected })
  .refine((name) => !reserved.test(name), { error: headerExpected });

/** What HTTP allows: visible characters, spaces and tabs. */
const headerValue = z
  .string()
  .max(2_000)
  .regex(/^[\t\x20-\x7e]*$/, { error: 'must be a text of ASCII characters on one line' });

const headers = z.record(headerName, headerValue).refine(isShort, { error: 'must be at most 20 header fields' });

/** Of a webhook that exists: null for the value that is stored. */
const changedHeaders = z
  .record(headerName, headerValue.nullable())
  .refine(isShort, { error: 'must be at most 20 header fields' });

const condition = z.strictObject({
  field: lineOfText('field', 100),
  operator: z.enum(['EQUALS', 'NOT_EQUALS']),
  value: storedText(1_000),
});

/** A new webhook. */
export const webhookBody = z.strictObject({
  name: lineOfText('name', 100),
  url,
  types: z.array(lineOfText('types', 100)).max(200).default([]),
  actions: z.array(z.enum(deliveredActions)).max(deliveredActions.length).default([]),
  filter: z.array(condition).max(20).default([]),
  headers: headers.default({}),
});

/** What is changed of a webhook. */
export const webhookChangeBody = z.strictObject({
  name: lineOfText('name', 100).exactOptional(),
  url: url.exactOptional(),
  types: z.array(lineOfText('types', 100)).max(200).exactOptional(),
  actions: z.array(z.enum(deliveredActions)).max(deliveredActions.length).exactOptional(),
  filter: z.array(condition).max(20).exactOptional(),
  headers: changedHeaders.exactOptional(),
});

/** Which undelivered changes are meant; all of them without ids. */
export const undeliveredBody = z.strictObject({
  ids: z
    .array(z.string().regex(/^\d{1,18}$/, { error: 'must be ids of undelivered changes, such as "12"' }))
    .min(1)
    .max(500)
    .exactOptional(),
});

/** From where changes are delivered again. */
export const replayBody = z.union(
  [
    z.strictObject({ after: z.string().max(100) }),
    z.strictObject({ from: z.iso.datetime({ offset: true }).refine((text) => isStoredTime(new Date(text))) }),
  ],
  { error: 'must have either from, a time such as 2030-01-31T00:00:00Z, or after, a position of the change feed' },
);

function isShort(fields: object): boolean {
  return Object.keys(fields).length <= 20;
}

function isTarget(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '';
}
