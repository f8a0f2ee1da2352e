import { numberText, parseJson, toJson } from '../web/src/api/json';

describe('JSON of the admin pages', () => {
  it.each(['1', '-7', '0.5', '24.90', '39.9000', '9223372036854775807', '0.1234567890123456789', '1e400', '-0'])(
    'keeps the number %s as it was written, there and back',
    (digits) => {
      const parsed = parseJson(`{"value":${digits}}`) as { readonly value: unknown };

      expect(numberText(parsed.value)).toBe(digits);
      expect(toJson(parsed)).toBe(`{"value":${digits}}`);
    },
  );

  it('gives plain numbers where nothing is lost', () => {
    expect(parseJson('[1, 2.5, "24.90", null, true, {"a": [3]}]')).toEqual([1, 2.5, '24.90', null, true, { a: [3] }]);
  });
});
