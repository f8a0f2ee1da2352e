import type { KindField } from '@gantry/plugin-api';
import { focalPointKind } from '../src/image-details/focal-point';

const kind = focalPointKind.of('media');
const field = {} as KindField;

describe('a focal point', () => {
  it.each([
    [{ x: 0, y: 1 }, '{"x":0,"y":1}'],
    [{ x: 0.123, y: 0.9999999999 }, '{"x":0.123,"y":0.9999999999}'],
    [{ y: 0.5, x: 1e-7 }, '{"x":1e-7,"y":0.5}'],
  ])('is stored as it was sent: %j', (value, stored) => {
    expect(kind.parse(value, field)).toEqual({ ok: true, value: stored });
  });

  it.each([
    ['{"x":0.12345678901234567891,"y":0}', '{"x":0.12345678901234567891,"y":0}'],
    [' { "y" : 1.0 , "x" : 1e-20 } ', '{"x":1e-20,"y":1.0}'],
    ['{"x":9.5e-1,"y":0}', '{"x":9.5e-1,"y":0}'],
    ['{"x":1e-21,"y":0}', 'OUT_OF_RANGE'],
    ['{"x":1e-30,"y":0}', 'OUT_OF_RANGE'],
    ['{"x":1.5e-20,"y":0}', 'OUT_OF_RANGE'],
    ['{"x":1.00000000000000000001,"y":0}', 'OUT_OF_RANGE'],
    ['{"x":5e-0,"y":0}', 'OUT_OF_RANGE'],
    ['{"x":00.5,"y":0}', 'OUT_OF_RANGE'],
    ['{"x":0.5,"x":0.5}', 'WRONG_TYPE'],
    ['{"x":0.5}', 'WRONG_TYPE'],
    ['0.5,0.5', 'WRONG_TYPE'],
  ])('is read with every digit of the cell or criterion %s', (text, expected) => {
    const cell = kind.parse(kind.fromCell(text), field);
    const criterion = kind.convert(text, field);
    expect([cell, criterion].map((read) => (read.ok ? read.value : read.code))).toEqual([expected, expected]);
  });

  it.each([
    [{ x: 0.5 }],
    [{ y: 0.5 }],
    [{ x: 0.5, y: null }],
    [{ x: 1.0001, y: 0 }],
    [{ x: -0.1, y: 0 }],
    [{ x: Number.NaN, y: 0 }],
    [{ x: Infinity, y: 0 }],
    [{ x: '0.5', y: 0 }],
    [{ x: true, y: 0 }],
    [{ x: [0.5], y: 0 }],
  ])('needs both parts, from 0 to 1: %j', (value) => {
    expect(kind.parse(value, field)).toMatchObject({ ok: false, code: 'OUT_OF_RANGE' });
  });

  it.each(['middle', 7, [], null, { x: 0, y: 0, z: 0 }])('is an object of two numbers: %j', (value) => {
    expect(kind.parse(value, field)).toMatchObject({ ok: false, code: 'WRONG_TYPE' });
  });

  it('is the same however its numbers are written', () => {
    expect(kind.isSame('{"x":0.5,"y":1}', '{"x": 0.50, "y": 1.0}')).toBe(true);
    expect(kind.isSame('{"x":1e-7,"y":1}', '{"x": 0.0000001, "y": 1}')).toBe(true);
    expect(kind.isSame('{"x":0.5,"y":0}', { x: 0.5, y: 0 } as never)).toBe(true);
    expect(kind.isSame('{"x":0.5,"y":1}', '{"x": 0.51, "y": 1}')).toBe(false);
    expect(kind.isSame('{"x":0.50000000000000000001,"y":1}', '{"x": 0.5, "y": 1}')).toBe(false);
  });

  it.each([
    [{ image: 'address' }, []],
    [{ image: 7 }, [expect.stringMatching(/ image .*\{ image: 'address' \}/)]],
    [{ picture: 'x' }, [expect.stringMatching(/ picture; .* image$/)]],
  ])('is declared by %j', (settings, problems) => {
    expect(focalPointKind.checkSettings(settings)).toEqual(problems);
  });
});
