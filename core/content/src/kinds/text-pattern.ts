import type { TextRules } from './text-characters';

/**
 * A pattern (ECMA-262, as JSON Schema has it) of the texts that {@link normalizeText} takes: it refuses no text that is
 * taken, and as many of the others as a pattern can. Characters are written as ranges of the Basic Multilingual Plane,
 * because validators differ in Unicode properties, in `\s` and in characters beyond U+FFFF.
 */
export function acceptedPattern(rules: TextRules, required: boolean): string {
  if (rules === 'key') {
    // Blanks at the ends are trimmed; between words is only the space.
    const word = `[^${refused.key}${trimmed}]+`;
    return `^[${trimmed}]*(?:${word}(?: +${word})*)${required ? '' : '?'}[${trimmed}]*$`;
  }
  const rest = `[^${refused[rules]}]*`;
  // The first character that can be seen follows those that cannot; each can be read in one way, so that no text takes long.
  return required ? `^[${blank[rules]}]*[^${refused[rules]}${blank[rules]}]${rest}$` : `^${rest}$`;
}

/** The characters that String.prototype.trim() removes. */
const trimmed = String.raw`\u0009-\u000d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const ignorable =
  String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f` +
  String.raw`\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8`;
const inkless = String.raw`\u2800`;
const noText = String.raw`\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff`;

const refused = {
  lines: String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f${noText}`,
  /** Without the variation selectors, and without the joiners, which some texts may have. */
  line:
    String.raw`\u0000-\u001f\u007f-\u009f${noText}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f` +
    String.raw`\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8`,
  key: String.raw`\u0000-\u001f\u007f-\u009f${noText}${ignorable}${inkless}`,
};

/** Characters without ink that are not refused. */
const blank = {
  lines: String.raw`\u0009\u000a\u000d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000${ignorable}${inkless}`,
  line: String.raw` \u00a0\u1680\u180b-\u180f\u2000-\u200a\u200c\u200d\u202f\u205f\u3000\ufe00-\ufe0f${inkless}`,
};
