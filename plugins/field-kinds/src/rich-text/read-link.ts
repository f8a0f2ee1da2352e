import { accepted, refused, type ParsedValue } from '@gantry/plugin-api';

const wrong = refused(
  'PATTERN',
  'must be an address that begins with http://, https:// or mailto:, such as https://example.org/page',
);

/** Longest address, as that of the kind Url. */
const maxLength = 2048;

/** The address of a link, as it is written. No other scheme, such as `javascript:`, is accepted. */
export function readLink(value: unknown): ParsedValue<string> {
  if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
  if (value.length > maxLength) return refused('TOO_LONG', `must have at most ${maxLength} characters`);
  // A browser would leave out or turn round some of these, and go to another address than is shown.
  if (/[\u0000-\u0020\u007f-\u00a0\\\p{Cf}\p{Cs}\p{Z}]/u.test(value)) return wrong;
  if (!/^(?:https?:\/\/[^/?#]|mailto:[^@/?#]+@[^@/?#])/i.test(value) || !URL.canParse(value)) return wrong;
  const { username, password } = new URL(value);
  if (username === '' && password === '') return accepted(value);
  return refused('PATTERN', 'must not have a user name or password in it');
}
