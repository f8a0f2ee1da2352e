import { accepted, refused, type ParsedValue } from '@gantry/plugin-api';
import { shortTextKind } from './text-kind';

const wrong = refused(
  'PATTERN',
  'must be an address that begins with http:// or https://, such as https://example.org/page',
);

/** A web address; stored as it is written, so that signatures in it stay valid. No other scheme, such as `javascript:`, is accepted. */
export const urlKind = shortTextKind({
  name: 'Url',
  maxLength: 2048,
  read: readUrl,
  pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\u0000-\u0020\\]`,
  description: 'A web address with http or https.',
  example: 'https://example.org/page',
});

function readUrl(text: string): ParsedValue<string> {
  // A browser would leave out or turn round some of these, and go to another address than is shown.
  if (!/^https?:\/\/[^/?#]/i.test(text) || /[\u0000-\u0020\u007f-\u00a0\\\p{Cf}\p{Cs}\p{Z}]/u.test(text)) return wrong;
  if (!URL.canParse(text)) return wrong;
  const { username, password } = new URL(text);
  if (username === '' && password === '') return accepted(text);
  return refused('PATTERN', 'must not have a user name or password in it');
}
