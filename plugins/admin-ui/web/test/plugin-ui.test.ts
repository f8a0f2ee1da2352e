import type { PluginUiReport } from '@gantry/contracts';
import { LosslessNumber } from 'lossless-json';
import { kindOf } from '../src/content/kinds/registry';
import { findActions, findClaim } from '../src/plugin-ui/claims';
import { givenValue, payloadOf, plainJson } from '../src/plugin-ui/host/values';
import { findPage } from '../src/plugin-ui/page/page-paths';

const plugin = (id: string, ui: Partial<PluginUiReport['ui']>, state: PluginUiReport['state'] = 'started') => ({
  id,
  displayName: id,
  state,
  problems: [],
  ui: { apiVersion: 1, address: `/plugins/${id}`, pages: [], fields: [], cells: [], itemActions: [], ...ui },
});

describe('the plugin that fills a slot', () => {
  const field = { name: 'colour', type: 'STRING' };

  it('is the one that names the field, before one that names its type, before the first by id', () => {
    const uis = [
      plugin('all', { fields: ['STRING'] }),
      plugin('first', { fields: ['paint.colour'] }),
      plugin('second', { fields: ['paint.colour'] }),
    ];

    expect(findClaim(uis, 'fields', 'paint', field)).toMatchObject({ plugin: { id: 'first' }, key: 'paint.colour' });
    expect(findClaim(uis, 'fields', 'car', field)).toMatchObject({ plugin: { id: 'all' }, key: 'STRING' });
    expect(findClaim(uis, 'cells', 'paint', field)).toBeUndefined();
  });

  it('is none by its type alone for a field with options, which is a choice', () => {
    expect(
      findClaim([plugin('all', { fields: ['STRING'] })], 'fields', 'paint', { ...field, options: ['a'] }),
    ).toBeUndefined();
  });

  it('is none that does not run', () => {
    const uis = [
      plugin('gone', { fields: ['STRING'], itemActions: [{ type: 'paint', name: 'a', title: 'A' }] }, 'disabled'),
    ];

    expect(findClaim(uis, 'fields', 'paint', field)).toBeUndefined();
    expect(findActions(uis, 'paint')).toEqual([]);
  });
});

describe('the page at a path', () => {
  const page = (path: string) => ({ path, title: path, icon: 'plug' });

  it.each([
    ['', '', ''],
    ['rooms', 'rooms', ''],
    ['rooms/BATH/2', 'rooms', 'BATH/2'],
    ['rooms/all', 'rooms/all', ''],
    ['roomsx', '', 'roomsx'],
  ])('%j is the one with the longest path of its own', (path, own, rest) => {
    expect(findPage([page(''), page('rooms'), page('rooms/all')], path)).toMatchObject({ page: { path: own }, rest });
  });

  it('is none where no page fits', () => {
    expect(findPage([page('rooms')], '')).toBeUndefined();
  });
});

describe('values that pass between the pages and a plugin', () => {
  it.each([
    ['a number', 5, 5],
    ['a decimal with a zero at its end', new LosslessNumber('24.90'), 24.9],
    ['a number with too many digits', new LosslessNumber('123456789012345.6789'), '123456789012345.6789'],
    ['a 64-bit number', new LosslessNumber('9007199254740993'), '9007199254740993'],
    ['a reference', { id: 7, label: 'Garden' }, { id: '7', label: 'Garden' }],
    ['references', [{ id: 7, label: 'Garden' }], [{ id: '7', label: 'Garden' }]],
    ['no references', [], []],
    ['nothing', null, null],
  ])('are given as plain values: %s', (_what, value, given) => {
    expect(givenValue(value)).toEqual(given);
  });

  it('are plain wherever they are in an answer', () => {
    expect(plainJson({ data: [new LosslessNumber('1.50'), { id: new LosslessNumber('9007199254740993') }] })).toEqual({
      data: [1.5, { id: '9007199254740993' }],
    });
  });

  it('are written by the types of the fields, with every digit', () => {
    const field = (name: string, type: string) => ({ name, type });
    const metadata = {
      fields: [
        field('price', 'NUMBER'),
        field('catalog', 'REFERENCE'),
        field('tags', 'REFERENCE'),
        field('code', 'STRING'),
      ],
    };
    const values = {
      price: '123456789012345.6789',
      catalog: '9007199254740993',
      tags: ['1', '2'],
      code: '12',
      other: null,
    };

    const payload = payloadOf(metadata as unknown as Parameters<typeof payloadOf>[0], values, (type, value) =>
      kindOf(type).givenValue(value),
    );

    expect(payload).toEqual({
      price: new LosslessNumber('123456789012345.6789'),
      catalog: new LosslessNumber('9007199254740993'),
      tags: [new LosslessNumber('1'), new LosslessNumber('2')],
      code: '12',
      other: null,
    });
  });
});
