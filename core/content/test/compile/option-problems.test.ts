import { DataType } from 'sequelize-typescript';
import { BaseItem, Field } from '@gantry/plugin-api';
import { declareType, problemsOfFields, problemsOfType } from '../../../../test/support/content/declare-type';

const thing = { type: 'REFERENCE', targetEntity: 'other.Thing' } as const;

class Boat extends BaseItem {}

/** As plain JavaScript gives them: no compiler has looked. */
const fieldOptions: readonly (readonly [object, string])[] = [
  [{ requierd: true }, 'a has the unknown option requierd; did you mean required?'],
  [{ editable: false }, 'a has the unknown option editable; did you mean editableOnUpdate?'],
  [
    { label: 'A' },
    'a has the unknown option label; known are displayName, type, placeholder, searchable, required, editableOnUpdate, targetEntity, cardinality, onDelete, linkTargets, column, options, optionColors, optionLabels, settings, default, help, section, tab, width, format, visibleIf, requiredIf, maxLength, min, max, pattern, trim, maintained, computed, renamedFrom',
  ],
  [{ searchable: 'yes' }, 'a has a searchable that is not true or false'],
  [{ required: 1 }, 'a has a required that is not true or false'],
  [{ editableOnUpdate: null }, 'a has an editableOnUpdate that is not true or false'],
  [{ placeholder: 5 }, 'a has a placeholder that is not a text'],
  [{ help: {} }, 'a has a help that is not a text'],
  ...[5, ' '].map((section) => [{ section }, 'a has a section that is not a text'] as const),
  [{ options: 'A,B' }, 'a has options that are not a list of texts'],
  [{ options: [1, 2] }, 'a has options that are not a list of texts'],
  [{ options: ['A', 'B', 'A'] }, 'a has the option "A" more than once'],
  [{ options: ['A', ' '] }, 'a has an option without text'],
  [{ options: ['A'], optionColors: 'red' }, "a has optionColors that are not an object, such as { NEW: 'blue' }"],
  [
    { options: ['A'], optionColors: { A: 'pink' } },
    'a has the unknown colour "pink" of A; known are gray, blue, green, yellow, red',
  ],
  [{ pattern: /[a-z]+/ }, 'a has a pattern that is not a text; write [a-z]+ as text'],
  [{ column: 42 }, 'a has a column that is neither a DataType of sequelize-typescript nor the SQL of one'],
  [{ min: 3 }, 'a has a min but its type is not NUMBER, DATE or DATETIME'],
  [{ max: 3 }, 'a has a max but its type is not NUMBER, DATE or DATETIME'],
  [{ type: 'NUMBER', maxLength: 3 }, 'a has a maxLength but its type is not STRING, TEXT or IMAGE'],
  [{ type: 'BOOLEAN', pattern: 'x' }, 'a has a pattern but its type is not STRING, TEXT or IMAGE'],
  [{ format: 'markdown' }, 'a has a format but its type is not TEXT'],
  [{ type: 'TEXT', format: 'html' }, 'a has the unknown format "html"; known are markdown'],
  [{ cardinality: 'MULTIPLE' }, 'a has a cardinality but its type is not REFERENCE, ENUM or LINK'],
  [{ ...thing, cardinality: 'MANY' }, 'a has the unknown cardinality "MANY"; known are SINGLE, MULTIPLE'],
  [{ ...thing, column: DataType.BIGINT }, 'a has a column but is a REFERENCE, whose column the platform makes'],
  [
    { type: 'REFERENCE', targetEntity: Boat },
    'a has a targetEntity that is the class itself; write a function that gives it: () => Boat',
  ],
  [
    { type: 'REFERENCE', targetEntity: 5 },
    'a has a targetEntity that is neither a function that gives the class nor its qualified name',
  ],
];

const typeOptions: readonly (readonly [object, string])[] = [
  [
    { name: 'Boat' },
    'the unknown option name of @ItemType; known are code, displayName, displayNamePlural, icon, columns, unique, indexes, searchResult, heading, label, editableColumns, readOnly, singleton, attention, renamedFrom',
  ],
  [{ readonly: true }, 'the unknown option readonly of @ItemType; did you mean readOnly?'],
  [{ displayName: 5 }, 'a displayName of @ItemType that is not a text'],
  [{ displayName: '' }, 'a displayName of @ItemType that is not a text'],
  [{ displayNamePlural: '' }, 'a displayNamePlural of @ItemType that is not a text'],
  ...['', 'table', '<path/>', 'M4 5"/>', 5, `M${'0'.repeat(1_000)}`].map(
    (icon) => [{ icon }, 'an icon of @ItemType that is not path data of SVG, such as "M4 5h16v14H4z"'] as const,
  ),
  [{ readOnly: 'no' }, 'a readOnly of @ItemType that is not true or false'],
  ...[{}, [{}], [{ title: '', where: { a: 'b' } }], [{ title: 'A', where: {} }], [{ title: 'A', where: { a: 5 } }]].map(
    (attention) =>
      [
        { attention },
        "attention of @ItemType that is not a list of rules, such as [{ title: 'To check', where: { state: 'NEW' } }]",
      ] as const,
  ),
  [{ columns: 'a' }, 'columns of @ItemType that are not a list of names'],
  [{ unique: ['a'] }, "unique of @ItemType that is not a list of sets of fields, such as [['a']]"],
  [{ unique: 'a' }, "unique of @ItemType that is not a list of sets of fields, such as [['a']]"],
  [{ indexes: ['a'] }, "indexes of @ItemType that is not a list of sets of fields, such as [['a']]"],
  [{ editableColumns: 'a' }, 'editableColumns of @ItemType that are not a list of names'],
  [{ heading: 5 }, 'a heading of @ItemType that is not the name of a field'],
  [{ searchResult: 'a' }, 'a searchResult of @ItemType that is neither { label, subLabel } nor a function'],
  [{ searchResult: { title: 'a' } }, 'the unknown option searchResult.title of @ItemType; known are label, subLabel'],
  [{ searchResult: { label: 5 } }, 'a searchResult.label of @ItemType that is not the name of a field'],
];

describe('an option of a declaration', () => {
  it.each(fieldOptions)('%j: %s', (options, problem) => {
    expect(problemsOfFields({ a: options })).toEqual([problem]);
  });

  it.each(typeOptions)('of the type %j: has %s', (options, problem) => {
    expect(problemsOfFields({ a: {} }, options)).toEqual([`it has ${problem}`]);
  });

  it('counts as left out when it is undefined', () => {
    const undecided = { help: undefined, maxLength: undefined, column: undefined, searchable: undefined } as object;
    expect(problemsOfFields({ a: undecided }, { columns: undefined } as object)).toEqual([]);
  });

  it('of a field that is declared twice is a problem, as one would hide the other', () => {
    const model = declareType('Boat', { a: {} });
    Field({ displayName: 'Again' })(model.prototype as object, 'a');
    expect(problemsOfType(model)).toEqual(['a has @Field more than once']);
  });
});
