import type { KindField, KindSettings } from '@gantry/plugin-api';

/** `settings` of a field of the kind `field-kinds.RichText`. */
export interface RichTextSettings {
  /** The blocks that a document may have in addition to paragraphs and line breaks; all unless given. */
  readonly nodes?: readonly RichTextBlock[];
  /** The marks that text may have; all unless given. */
  readonly marks?: readonly RichTextMark[];
  /** Levels of headings; 1 to 4 unless given. */
  readonly headingLevels?: readonly number[];
}

const blocks = ['heading', 'bulletList', 'orderedList', 'blockquote', 'codeBlock', 'horizontalRule'] as const;
const marks = ['bold', 'italic', 'underline', 'strike', 'code', 'link'] as const;
const levels = [1, 2, 3, 4];

export type RichTextBlock = (typeof blocks)[number];
export type RichTextMark = (typeof marks)[number];

/** The settings with their defaults; as the metadata of the field has it. */
export interface DocumentRules {
  readonly nodes: readonly string[];
  readonly marks: readonly string[];
  readonly headingLevels: readonly number[];
  /** Type codes of the items that texts may link to. */
  readonly links?: readonly string[];
}

/** Reads settings that {@link settingsProblems} finds nothing wrong with. */
export function documentRules({ settings = {}, links }: Pick<KindField, 'settings' | 'links'>): DocumentRules {
  const given = settings as RichTextSettings;
  const shown = links?.targets.filter(({ isHidden }) => isHidden !== true).map(({ target }) => target);
  return {
    nodes: ['paragraph', ...(given.nodes ?? blocks)],
    marks: [...(given.marks ?? marks), ...(links === undefined ? [] : [itemLink])],
    headingLevels: given.headingLevels ?? levels,
    ...(shown === undefined ? {} : { links: shown }),
  };
}

/** The mark of a text that is a link to an item. */
export const itemLink = 'itemLink';

/** Problems of the settings; sentences that continue "<field> …". */
export function settingsProblems(settings: KindSettings): readonly string[] {
  const { nodes, marks: chosenMarks, headingLevels, ...others } = settings;
  return [
    ...Object.keys(others).map((name) => `has the setting ${name}, which its field kind does not know`),
    ...listProblems('nodes', nodes, blocks),
    ...listProblems('marks', chosenMarks, marks),
    ...listProblems('headingLevels', headingLevels, levels),
  ];
}

function listProblems(name: string, given: unknown, known: readonly (string | number)[]): readonly string[] {
  if (given === undefined) return [];
  const values: readonly unknown[] = Array.isArray(given) ? given : [];
  const areKnown = values.every((value) => (known as readonly unknown[]).includes(value));
  if (Array.isArray(given) && areKnown && new Set(values).size === values.length) return [];
  return [`needs ${name} that are different values of ${known.join(', ')}`];
}
