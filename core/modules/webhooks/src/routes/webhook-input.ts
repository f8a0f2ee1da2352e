import { z } from 'zod';
import { isStoredTime, storedText } from '@gantry/core-common';
import { positionText, webhookSettings } from '../sending/webhook-schemas';

const urlExpected =
  'must be an address that begins with https:// or http://, without user name and password, such as https://example.com/hooks';
const headerExpected =
  'must be a header field that the webhook may have: the name is letters, digits and hyphens; Content-*, Host, Connection, User-Agent, Transfer-Encoding and Webhook-* are set by the platform';

/** Header fields that belong to the request itself. */
const reserved =
  /^(content-.*|host|connection|user-agent|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|webhook-.*)$/i;

const url = storedText(2_000)
  .refine((text) => isTarget(text), { error: urlExpected, abort: true })
  .refine((text) => isSentAs(text), {
    error: ({ input }) => `must be written as it is requested: ${requestedAs(new URL(String(input)))}`,
  })
  .meta({
    format: 'uri',
    pattern: '^https?://',
    description: 'Address of the receiver, without user name and password.',
  });

const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9-]+$/, { error: headerExpected })
  .refine((name) => !reserved.test(name), { error: headerExpected });

/** Header values as HTTP allows them: visible characters, with spaces and tabs between them. Those at the ends are no part of a value. */
const headerValue = z
  .string()
  .max(2_000)
  .regex(/^([\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?)?$/, {
    error: 'must be a text of ASCII characters on one line, without spaces at its ends',
  });

const headers = headerFields(
  headerValue,
  'Additional header fields of each request, stored encrypted and not shown again.',
);

const changedHeaders = headerFields(
  headerValue.nullable(),
  'All additional header fields of each request; null keeps the stored value of a field. With another origin (scheme, host, port) in `url`, send each value again or leave the field out.',
);

function headerFields<T extends z.ZodType>(value: T, description: string) {
  // The name that a record of zod leaves out without a word.
  const given = z.unknown().superRefine((fields, { addIssue }) => {
    if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, '__proto__')) return;
    addIssue({ code: 'custom', path: ['__proto__'], message: headerExpected });
  });
  const read = z
    .record(headerName, value)
    .refine(isShort, { error: 'must be at most 20 header fields' })
    .superRefine((fields, { addIssue }) => {
      for (const name of repeatedNames(Object.keys(fields))) {
        addIssue({ code: 'custom', path: [name], message: 'is given twice: upper and lower case make no difference' });
      }
    })
    .meta({ maxProperties: 20, description });
  const { $schema: _version, ...json } = z.toJSONSchema(read, { io: 'input' });
  return given.pipe(read).meta(json);
}

/** A new webhook. */
export const webhookBody = z.strictObject({
  name: webhookSettings.name,
  url,
  types: webhookSettings.types.default([]),
  actions: webhookSettings.actions.default([]),
  filter: webhookSettings.filter.default([]),
  headers: headers.default({}),
});

/** Changed members of a webhook. */
export const webhookChangeBody = z.strictObject({
  name: webhookSettings.name.exactOptional(),
  url: url.exactOptional(),
  types: webhookSettings.types.exactOptional(),
  actions: webhookSettings.actions.exactOptional(),
  filter: webhookSettings.filter.exactOptional(),
  headers: changedHeaders.exactOptional(),
});

/** Which undelivered changes are meant. */
export const undeliveredBody = z
  .strictObject({
    ids: z
      .array(z.string().regex(/^\d{1,18}$/, { error: 'must be ids of undelivered changes, such as "12"' }))
      .min(1)
      .max(500)
      .exactOptional()
      .describe('Ids of undelivered changes; all of them unless given.'),
  })
  .prefault({});

/** From where changes are delivered again. */
export const replayBody = z
  .union(
    [
      z.strictObject({ after: positionText }),
      z.strictObject({
        from: z.iso
          .datetime({ offset: true })
          .refine((text) => isStoredTime(new Date(text)))
          // Its format says the same, and more briefly.
          .meta({ pattern: undefined }),
      }),
    ],
    { error: 'must have either from, a time such as 2030-01-31T00:00:00Z, or after, a position of the change feed' },
  )
  .meta({ id: 'ReplayStart', description: 'A time, or a position of the change feed.' });

function isShort(fields: object): boolean {
  return Object.keys(fields).length <= 20;
}

function repeatedNames(names: readonly string[]): readonly string[] {
  const lower = names.map((name) => name.toLowerCase());
  return names.filter((name, index) => lower.indexOf(name.toLowerCase()) < index);
}

/** Whether the parser of addresses changes or drops nothing, such as line breaks, a fragment, or another notation of an IPv4 address. */
function isSentAs(text: string): boolean {
  const requested = requestedAs(new URL(text));
  return text === requested || `${text}/` === requested;
}

function requestedAs({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search}`;
}

function isTarget(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['https:', 'http:'].includes(protocol) && username === '' && password === '';
}
