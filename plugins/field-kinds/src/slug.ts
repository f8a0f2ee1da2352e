import { accepted, refused } from '@gantry/plugin-api';
import { shortTextKind } from './text-kind';

const pattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A part of an address: words of small letters and digits with hyphens between them. `unique` of the type makes it a key. */
export const slugKind = shortTextKind({
  name: 'Slug',
  maxLength: 200,
  read: (text) =>
    pattern.test(text)
      ? accepted(text)
      : refused('PATTERN', 'must be words of a-z and 0-9 with - between them, such as spring-sale-2026'),
  pattern: pattern.source,
  description: 'Words of a-z and 0-9 with - between them.',
  example: 'spring-sale-2026',
});
