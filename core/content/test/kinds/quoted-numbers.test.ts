import { DataType } from 'sequelize-typescript';
import { parsePayload } from '../../src/write/values/payload';
import { compile, declareType } from '../../../../test/support/content/declare-type';

const type = compile(
  declareType('Offer', {
    price: { type: 'NUMBER', column: DataType.DECIMAL(19, 4) },
    pages: { type: 'NUMBER', column: DataType.INTEGER },
  }),
);

describe('a number in quotes', () => {
  it.each([
    ['price', '12.50', true],
    ['price', ' 3 ', true],
    ['pages', '12', true],
    ['price', '12,50', false],
    ['price', 'cheap', false],
    ['pages', true, false],
  ])('of %s, %j, is refused: the quotes are named: %s', (field, value, namesQuotes) => {
    const { problems } = parsePayload(type, { [field]: value }, 'update');

    expect(problems).toEqual([expect.objectContaining({ path: field, code: 'WRONG_TYPE' })]);
    expect(problems[0]?.message.includes('without quotes')).toBe(namesQuotes);
  });
});
