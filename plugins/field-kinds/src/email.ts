import { accepted, refused } from '@gantry/plugin-api';
import { shortTextKind } from './text-kind';

/** As browsers check it (HTML, valid email address), with a domain of at least two labels. */
const pattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;

/** An email address of ASCII characters; stored as it is written. */
export const emailKind = shortTextKind({
  name: 'Email',
  maxLength: 254,
  read: (text) =>
    pattern.test(text) ? accepted(text) : refused('PATTERN', 'must be an email address such as ada@example.org'),
  pattern: pattern.source,
  description: 'An email address.',
  example: 'ada@example.org',
});
