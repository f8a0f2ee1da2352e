import type { FieldOptions } from '../items/item-metadata';
import type { FieldKind, JsonSchema, KindField } from './field-kind';
import type { KindSettings } from './kind-settings';
import { plainKind, rowSchemaOf } from './plain-kind';

const brand = Symbol.for('gantry.fieldKind');

/** Members that a kind must say for itself, or that most take from {@link plainKind}. */
type Own = Omit<FieldKind, 'name' | 'type' | keyof typeof plainKind | 'rowSchema' | 'example' | 'modelType' | 'json'>;

/**
 * A kind of field that a plugin brings. What is left out is as for a value that is its own text.
 * @public
 */
export interface FieldKindDefinition
  extends
    Partial<Omit<FieldKind, 'name' | 'type' | 'convert' | 'cast' | 'arrayType' | 'parse' | 'jsonSchema'>>,
    Pick<FieldKind, 'convert' | 'parse'> {
  /** `[A-Z][A-Za-z0-9]{0,39}`; fields declare it as `<plugin id>.<name>`. */
  readonly name: string;
  /** SQL type of the column, for example `POINT` or `VARCHAR(7)`. */
  readonly column: string;
  /** Options of `@Field` that it has, of those that not every field has, such as `maxLength`. */
  readonly options?: readonly (keyof FieldOptions)[];
  /** Problems of `settings` of a field; sentences that continue "<field> …". */
  checkSettings?(settings: KindSettings): readonly string[];
  /** JSON Schema of a value that is accepted, without null. */
  jsonSchema(field: KindField): JsonSchema;
  /** JSON type of a value in a row; `string` unless given. */
  readonly rowType?: 'string' | 'number' | 'boolean' | 'object' | 'array';
  /** SQL of a value for a comparison; a cast to the type of the column unless given. */
  cast?(value: string, field: KindField): string;
  /** SQL type of many values; an array of the type of the column unless given. */
  readonly arrayType?: string;
  /**
   * SQL that takes over the values of a column of another type, for migrations, or undefined where it cannot: what it gives for a
   * text that is no value must be NULL.
   */
  takeOver?(column: string, fromType: string): string | undefined;
}

/** The result of {@link defineFieldKind}, for `fieldKinds` of `definePlugin`. @public */
export interface DefinedFieldKind extends Required<Pick<FieldKindDefinition, 'name' | 'column' | 'options'>> {
  /** The kind under the id of its plugin. */
  of(plugin: string): FieldKind;
  checkSettings(settings: KindSettings): readonly string[];
  takeOver(column: string, fromType: string): string | undefined;
}

/**
 * Declares a kind of field.
 * @example
 * export const colorKind = defineFieldKind({
 *   name: 'Color',
 *   column: 'VARCHAR(7)',
 *   parse: (value) => readColor(value),
 *   convert: (text) => readColor(text),
 *   jsonSchema: () => ({ type: 'string', pattern: '^#[0-9a-f]{6}$' }),
 * });
 * @public
 */
export function defineFieldKind(definition: FieldKindDefinition): DefinedFieldKind {
  const given: unknown = definition;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError("defineFieldKind needs an object: defineFieldKind({ name: 'Color', … })");
  }
  const { name, column, options = [], checkSettings, takeOver } = definition;
  if (typeof name !== 'string' || !/^[A-Z][A-Za-z0-9]{0,39}$/.test(name)) {
    throw new TypeError(
      'The name of a field kind must begin with a capital letter and have only letters and digits, such as Color',
    );
  }
  assertMembers(name, definition);
  if (typeof column !== 'string' || !/^[A-Za-z][A-Za-z0-9_ (),]*$/.test(column)) {
    throw new TypeError(`The field kind ${name} needs the SQL type of its column, such as VARCHAR(7)`);
  }
  const defined: DefinedFieldKind = {
    name,
    column,
    options: Object.freeze([...options, ...(definition.links === undefined ? [] : linkOptions)]),
    of: (plugin) => kindOf(definition, plugin),
    checkSettings: checkSettings?.bind(definition) ?? (() => []),
    takeOver: takeOver?.bind(definition) ?? (() => undefined),
  };
  return Object.freeze(Object.defineProperty(defined, brand, { value: true }));
}

/** Options of fields of a kind with links. */
const linkOptions = ['linkTargets', 'onDelete'] as const;

/** Plain JavaScript has no compiler that would look. @throws TypeError */
function assertMembers(name: string, definition: FieldKindDefinition): void {
  for (const member of ['parse', 'convert', 'jsonSchema'] as const) {
    if (typeof definition[member] !== 'function') {
      throw new TypeError(`The field kind ${name} needs the function ${member}`);
    }
  }
  for (const [member, value] of Object.entries(definition)) {
    if (functions.has(member) && typeof value !== 'function') {
      throw new TypeError(`${member} of the field kind ${name} must be a function`);
    }
  }
  const operators: unknown = definition.operators ?? {};
  if (typeof operators !== 'object' || !Object.values(operators as object).every(isOperator)) {
    throw new TypeError(`operators of the field kind ${name} must be an object of { bind(text, field, kind) }`);
  }
  const derivation: unknown = definition.derivation;
  if (derivation !== undefined && !isDerivation(derivation)) {
    throw new TypeError(`derivation of the field kind ${name} must be an object of the functions from and derive`);
  }
  const links: unknown = definition.links;
  if (links !== undefined && !isLinks(links)) {
    throw new TypeError(`links of the field kind ${name} must be an object of the functions sql, find and map`);
  }
}

const functions: ReadonlySet<string> = new Set<keyof FieldKindDefinition>([
  ...(['parse', 'convert', 'cast', 'isSame', 'fromModel', 'toModel', 'fromHistory', 'modelType', 'json'] as const),
  ...(['fromCell', 'toCell', 'fromFileJson', 'toFileJson', 'formMembers', 'searchMembers'] as const),
  ...(['jsonSchema', 'rowSchema', 'describe', 'example', 'checkSettings', 'takeOver'] as const),
]);

function isOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'bind' in value && typeof value.bind === 'function';
}

function isDerivation(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { from, derive, alternative } = value as Readonly<Record<string, unknown>>;
  return (
    typeof from === 'function' && typeof derive === 'function' && ['undefined', 'function'].includes(typeof alternative)
  );
}

function isLinks(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { sql, find, map } = value as Readonly<Record<string, unknown>>;
  return [sql, find, map].every((member) => typeof member === 'function');
}

/** Recognises by brand, so that one from another copy of this package counts too. @internal */
export function isFieldKind(value: unknown): value is DefinedFieldKind {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

function kindOf(definition: FieldKindDefinition, plugin: string): FieldKind {
  const {
    name,
    column,
    options: _options,
    checkSettings: _check,
    takeOver: _takeOver,
    rowType,
    ...members
  } = definition;
  const bare = column.replace(/\(.*\)$/, '').trim();
  const defaults: Omit<Own, 'parse' | 'convert' | 'jsonSchema'> = {
    exact: true,
    unordered: true,
    index: 'none',
    cast: (value) => `${value}::${bare}`,
    arrayType: `${bare}[]`,
  };
  return Object.freeze({
    ...plainKind,
    isLabel: false,
    isSortable: members.index === 'order' || members.index === 'trigram',
    formMembers: () => (rowType === undefined || rowType === 'string' ? {} : { valueType: rowType }),
    ...defaults,
    // The text of a type that Sequelize does not know is bound as it is.
    modelType: () => column,
    json: (sql: string) => `to_json(${sql})::text`,
    rowSchema: (field: KindField) => rowSchemaOf(field, rowType ?? 'string'),
    example: () => undefined,
    ...members,
    name: `${plugin}.${name}`,
    type: `${plugin}.${name}` as const,
  });
}
