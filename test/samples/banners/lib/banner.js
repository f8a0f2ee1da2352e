import { BaseItem, Field, ItemType } from '@gantry/plugin-api';

// Decorators are functions: without a compiler they are called by hand.
export class Banner extends BaseItem {}

const declare = (name, options) => Field(options)(Banner.prototype, name);
const isLink = { field: 'kind', equals: 'LINK' };
const isImage = { field: 'kind', equals: 'IMAGE' };

declare('name', { displayName: 'Name', searchable: true, required: true, width: 'half' });
declare('kind', {
  displayName: 'Kind',
  type: 'ENUM',
  options: ['TEXT', 'IMAGE', 'LINK'],
  optionLabels: { TEXT: 'Text', IMAGE: 'Image', LINK: 'Link' },
  default: 'TEXT',
  required: true,
  searchable: true,
  width: 'half',
});

declare('text', { displayName: 'Text', type: 'TEXT', tab: 'Content', requiredIf: { field: 'kind', in: ['TEXT', 'LINK'] } });
declare('image', { displayName: 'Image', type: 'IMAGE', tab: 'Content', required: true, visibleIf: isImage });
declare('address', {
  displayName: 'Address',
  tab: 'Content',
  width: 'half',
  maxLength: 200,
  required: true,
  visibleIf: isLink,
});
declare('label', {
  displayName: 'Label of the link',
  tab: 'Content',
  width: 'half',
  help: 'The address unless given.',
  visibleIf: { all: [isLink, { field: 'address', empty: false }] },
});

declare('width', { displayName: 'Width', type: 'NUMBER', column: 'INTEGER', min: 1, tab: 'Display', section: 'Size', width: 'third' });
declare('height', { displayName: 'Height', type: 'NUMBER', column: 'INTEGER', min: 1, tab: 'Display', section: 'Size', width: 'third' });
declare('scheduled', { displayName: 'Scheduled', type: 'BOOLEAN', default: false, tab: 'Display', section: 'Time' });
declare('startsOn', {
  displayName: 'First day',
  type: 'DATE',
  tab: 'Display',
  section: 'Time',
  width: 'half',
  visibleIf: { field: 'scheduled', equals: true },
  requiredIf: { field: 'endsOn', empty: true },
});
declare('endsOn', {
  displayName: 'Last day',
  type: 'DATE',
  tab: 'Display',
  section: 'Time',
  width: 'half',
  visibleIf: { field: 'scheduled', equals: true },
});

declare('title', { displayName: 'Page title', tab: 'Search engines', maxLength: 70 });
declare('robots', { displayName: 'Robots', options: ['INDEX', 'HIDE'], default: 'INDEX', tab: 'Search engines' });

ItemType({ displayName: 'Banner', columns: ['name', 'kind', 'text'], unique: [['name']] })(Banner);
