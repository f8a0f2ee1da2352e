import { accepted, refused } from '@gantry/plugin-api';
import { shortTextKind } from './text-kind';

const pattern = /^#[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?$/;

/** A colour as CSS has it, with or without opacity; stored as it is written. */
export const colorKind = shortTextKind({
  name: 'Color',
  maxLength: 9,
  read: (text) =>
    pattern.test(text) ? accepted(text) : refused('PATTERN', 'must be a colour such as #1e90ff or #1e90ff80'),
  pattern: pattern.source,
  description: 'A colour, #rrggbb or #rrggbbaa.',
  example: '#1e90ff',
});
