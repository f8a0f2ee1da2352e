import type { CmsFieldType, FormField, ItemMetadata, SearchField } from '@gantry/contracts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createQueryClient } from '../src/api/queries';
import { FieldControl } from '../src/content/form/fields/field-control';
import { newValues, payloadOf, storedValues } from '../src/content/form/fields/form-values';
import { LockedField } from '../src/content/form/fields/locked-field';
import type { ImportOrder } from '../src/content/import/import-order';
import { ReadingOptions } from '../src/content/import/reading-options';
import type * as KindModules from '../src/content/kinds/kind-modules';
import type * as ViewModules from '../src/content/kinds/view-modules';
import { isSortable, resolveColumns } from '../src/content/list/columns/columns';
import { ItemRow } from '../src/content/list/rows/item-row';
import { searchInputs } from '../src/content/list/filter/criteria-text';
import { FilterChips } from '../src/content/list/filter/filter-chips';
import type * as DurationKind from './support/duration-kind';
import { FilterForm } from '../src/content/list/filter/filter-form';

// A further kind is a further folder.
jest.mock('../src/content/kinds/kind-modules', () => {
  const { kindModules, typeIn } = jest.requireActual<typeof KindModules>('../src/content/kinds/kind-modules');
  const { durationKind } = jest.requireActual<typeof DurationKind>('./support/duration-kind');
  return { typeIn, kindModules: { ...kindModules, './duration/index.ts': durationKind } };
});
jest.mock('../src/content/kinds/view-modules', () => {
  const { viewModules } = jest.requireActual<typeof ViewModules>('../src/content/kinds/view-modules');
  const { durationView } = jest.requireActual<typeof DurationKind>('./support/duration-kind');
  return { viewModules: { ...viewModules, './duration/view.tsx': durationView } };
});

const type = 'DURATION' as CmsFieldType;
const field: FormField = {
  name: 'length',
  displayName: 'Length',
  type,
  required: true,
  editableOnUpdate: true,
  placeholder: '',
};
const metadata: ItemMetadata = {
  code: 'film',
  displayName: 'Film',
  displayNamePlural: 'Films',
  columnShown: [{ name: 'length', displayName: 'Length', type, order: 0 }],
  searchable: [{ name: 'length', displayName: 'Length', type: 'duration' as SearchField['type'] }],
  fields: [field],
  readOnly: false,
};
const item = { id: '7', values: { length: '1:30', version: 1 } };

const order: ImportOrder = {
  file: new File([], 'films.csv'),
  format: 'csv',
  delimiter: ',',
  preview: { columns: ['title'], rows: [] },
  fieldOf: { title: '' },
  fixed: {},
  match: '',
  ids: false,
  safeCsv: false,
  ignoreUnknown: false,
};

describe('a field type that the pages do not know', () => {
  it('has its control in forms', () => {
    const props = { type: 'film', field, value: '1:30', error: undefined, onChange: ignore };
    expect(render(FieldControl, props)).toContain('<input id="field-length" type="time" value="1:30"/>');
  });

  it('has its values in forms and payloads', () => {
    expect(newValues([field])).toEqual({ length: '0:00' });
    expect(storedValues([field], item)).toEqual({ length: '1:30' });
    expect(payloadOf([field], { length: '0:00' })).toEqual({ length: null });
  });

  it('is shown where it cannot be changed', () => {
    expect(render(LockedField, { field, value: '1:30' })).toContain('<time>locked 1:30</time>');
  });

  it('has its cell in tables', () => {
    const { columns } = resolveColumns(metadata, ['length']);
    const row = {
      metadata,
      columns,
      item,
      index: 0,
      selected: false,
      onToggle: ignore,
      onDelete: ignore,
    };
    expect(render(ItemRow as unknown as FunctionComponent<typeof row>, row)).toContain(
      '<td class="number"><time>1:30</time></td>',
    );
    expect(isSortable(metadata, 'length')).toBe(false);
  });

  it('has its filter and its operators in the search bar', () => {
    const criteria = [{ field: 'length', operator: 'MORE_THAN', value: '2:00' }] as const;
    const chips = render(FilterChips, { inputs: searchInputs(metadata), criteria, onChange: ignore });
    expect(chips).toContain('<time>2:00</time>');
    const props = { id: 'form', inputs: searchInputs(metadata), criteria, hasRelated: false, onChange: ignore };
    const form = render(() => {
      const children = createElement(FilterForm, props);
      return createElement(QueryClientProvider, { client: createQueryClient(), children });
    }, {});
    expect(form).toContain('<input type="time" aria-label="Value of Length"/>');
    expect(form).toMatch(/<option value="MORE_THAN"[^>]*>more than<\/option><option value="LESS_THAN">/);
    expect(form).not.toContain('value="EQUALS"');
  });

  it('is offered and explained in imports', () => {
    const options = { metadata, order, onFormat: ignore, onChange: ignore };
    const text = render(ReadingOptions, options);
    expect(text).toContain('Change the item with the same length');
    expect(text).toContain('Write hours and minutes.');
  });
});

function ignore(): void {
  // Empty: a page that is drawn once has no events.
}

function render<P extends object>(component: FunctionComponent<P>, props: P): string {
  return renderToStaticMarkup(createElement(MantineProvider, null, createElement(component, props)));
}
