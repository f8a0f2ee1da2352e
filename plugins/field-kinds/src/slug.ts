import { accepted, refused, type KindField, type StoredValue } from '@gantry/plugin-api';
import { slugOf } from './slug-of';
import { shortTextKind } from './text-kind';

const pattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const maxLength = 200;

/**
 * A part of an address: words of small letters and digits with hyphens between them. `unique` of the type makes it a key. With
 * `settings: { from: 'title' }`, a new item without one gets it from that field; a key that another item has gets a number.
 */
export const slugKind = shortTextKind({
  name: 'Slug',
  maxLength,
  read: (text) =>
    pattern.test(text)
      ? accepted(text)
      : refused('PATTERN', 'must be words of a-z and 0-9 with - between them, such as spring-sale-2026'),
  pattern: pattern.source,
  description: 'Words of a-z and 0-9 with - between them.',
  example: 'spring-sale-2026',
  checkSettings: ({ from, ...others }) => [
    ...(from === undefined || (typeof from === 'string' && from !== '')
      ? []
      : ["has settings whose from is not the name of a field, such as { from: 'title' }"]),
    ...Object.keys(others).map((name) => `has the unknown setting ${name}; known is from`),
  ],
  derivation: {
    from: sourceOf,
    derive(values, field) {
      const [name = ''] = sourceOf(field);
      const text = textOf(values[name]);
      if (text.trim() === '') return undefined;
      const slug = slugOf(text);
      return slug === ''
        ? refused('REQUIRED', `cannot be made from ${name}, which has neither a Latin letter nor a digit; give it`)
        : accepted(slug);
    },
    alternative: (value, number) => numbered(String(value), number),
  },
});

function sourceOf({ settings }: KindField): readonly string[] {
  const from = settings?.['from'];
  return typeof from === 'string' ? [from] : [];
}

function textOf(value: StoredValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** `spring-sale-2`; a long one makes room for the number. */
function numbered(slug: string, number: number): string {
  const end = `-${number}`;
  return slug.slice(0, maxLength - end.length).replace(/-+$/, '') + end;
}
