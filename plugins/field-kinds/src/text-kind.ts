import {
  accepted,
  defineFieldKind,
  refused,
  textOperators,
  type DefinedFieldKind,
  type FieldKindDefinition,
  type KindSettings,
  type ParsedValue,
} from '@gantry/plugin-api';

/** The definition of a kind of short texts. */
export interface ShortText {
  readonly name: string;
  readonly maxLength: number;
  /** Reads a text of at most that length without characters that cannot be stored. */
  read(text: string): ParsedValue<string>;
  /** A regular expression of texts that are accepted; it may also accept others. */
  readonly pattern: string;
  readonly description: string;
  readonly example: string;
  /** How a value is made from other values, and the settings that say so. */
  readonly derivation?: FieldKindDefinition['derivation'];
  checkSettings?(settings: KindSettings): readonly string[];
}

/** A kind of short texts: found by parts of them, sorted, and with `unique` a key. */
export function shortTextKind(own: ShortText): DefinedFieldKind {
  const { name, maxLength, read, pattern, description, example, derivation, checkSettings } = own;
  const readAny = (value: unknown): ParsedValue<string> => {
    if (typeof value !== 'string') return refused('WRONG_TYPE', 'must be text');
    if (value.length > maxLength) return refused('TOO_LONG', `must have at most ${maxLength} characters`);
    return read(value);
  };
  const definition: FieldKindDefinition = {
    name,
    column: `VARCHAR(${maxLength})`,
    exact: false,
    unordered: false,
    index: 'trigram',
    isText: true,
    isEmptyTextNone: true,
    operators: textOperators,
    parse: readAny,
    // A part of a value can be looked for.
    convert: (text) => storable(text),
    cast: (value) => value,
    arrayType: 'text[]',
    jsonSchema: () => ({ type: 'string', maxLength, pattern }),
    describe: () => [description],
    example: ({ required }) => (required ? example : undefined),
    ...(derivation === undefined ? {} : { derivation }),
    ...(checkSettings === undefined ? {} : { checkSettings }),
  };
  return defineFieldKind(definition);
}

function storable(text: string): ParsedValue<string> {
  const isStorable = !text.includes('\u0000') && Buffer.from(text, 'utf8').toString('utf8') === text;
  return isStorable ? accepted(text) : refused('CHARACTER', 'must not contain characters that cannot be stored');
}
