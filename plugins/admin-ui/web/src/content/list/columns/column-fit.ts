import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../../api/items';
import { longestRecentTimes } from '../../../ui/time/relative-time';
import { optionText } from '../../choice-text';
import { kindOf } from '../../kinds/registry';
import { idColumn, isOwnColumn, stateField, timeType, type TableColumn } from './columns';

/** In CSS pixels, as the widths of columns are. */
type Widths = Readonly<Record<string, number>>;

/** The boxes that select rows, and the buttons of their menus. */
const aroundColumns = 92;
/** A cell has so much beside its text. */
const padding = 20;
const limits = { min: 56, max: 220 };

/** How wide columns have to be for what the page shows; the one that names items takes what is left. */
export function neededWidths(metadata: ItemMetadata, columns: readonly TableColumn[], items: readonly Item[]): Widths {
  return Object.fromEntries(
    columns.map((column) => {
      const texts = textsOf(metadata, column, items);
      const widest = Math.max(headWidth(column), ...texts.map((text) => textWidth(text)));
      // In steps, so that the next page seldom moves a column.
      const stepped = Math.ceil((widest + padding) / 8) * 8;
      return [column.name, Math.min(limits.max, Math.max(limits.min, stepped))];
    }),
  );
}

function textsOf(metadata: ItemMetadata, column: TableColumn, items: readonly Item[]): readonly string[] {
  if (column.type === idColumn.type) return items.map(({ id }) => id);
  if (column.type === timeType) return longestRecentTimes;
  const field = metadata.fields.find(({ name }) => name === column.name);
  // The dot and what is around it of a badge.
  if (field?.options !== undefined) return field.options.map((option) => `${optionText(field, option)}-----`);
  const { cellText } = kindOf(column.type);
  return items.map(({ values }) => cellText(values[column.name], column.fraction).slice(0, 40));
}

/** A name of many words takes two lines; beside it is room for the arrow of its order. */
function headWidth({ displayName }: TableColumn): number {
  const whole = textWidth(displayName);
  const longest = Math.max(...displayName.split(/\s+/).map((word) => textWidth(word)));
  return 18 + (displayName.length <= 16 ? whole : Math.max(longest, whole * 0.6));
}

/** About the width of a text in the font of the pages; asking the browser would make it lay out the page. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (narrow.has(character)) width += 4.5;
    else if (broad.has(character)) width += 13;
    else if (character > '\u2e7f') width += 15;
    else width += isWide(character) ? 9 : 7.8;
  }
  return width;
}

const broad = new Set('MWmw&@%');
const narrow = new Set("iljtfrI.,:;'|! ");

/** Digits, which all are as wide in a table, and capital letters. */
function isWide(character: string): boolean {
  return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z');
}

/** Minimum width of the name of an item. */
function leastLabelWidth(available: number): number {
  return Math.min(340, Math.max(190, available * 0.3));
}

/** Of a window of 1520 pixels: narrower tables leave out what only the platform knows. */
const leastWidthForOwnColumns = 1_230;

/**
 * The columns that a table has room for beside the name of an item: what only the platform knows goes first, then the columns at the
 * end, and states last.
 * @param available in CSS pixels
 */
export function fittingColumns(
  metadata: ItemMetadata,
  columns: readonly TableColumn[],
  linkColumn: string,
  widths: Widths,
  available: number,
): readonly TableColumn[] {
  const widthOf = ({ name }: TableColumn): number => widths[name] ?? limits.min;
  let room = available - aroundColumns - leastLabelWidth(available);
  const others = columns.filter(
    (column) => column.name !== linkColumn && (available >= leastWidthForOwnColumns || !isOwnColumn(column)),
  );
  const rank = (column: TableColumn): number =>
    stateField(metadata, column) === undefined ? (isOwnColumn(column) ? 2 : 1) : 0;
  const kept = new Set([linkColumn]);
  for (const column of others.toSorted((left, right) => rank(left) - rank(right))) {
    room -= widthOf(column);
    if (room < 0) break;
    kept.add(column.name);
  }
  return columns.filter(({ name }) => kept.has(name));
}

/** The width of a table whose columns keep theirs; what is more than the window has is scrolled to. */
export function tableWidth(columns: readonly TableColumn[], linkColumn: string, widths: Widths): number {
  const others = columns.filter(({ name }) => name !== linkColumn);
  return others.reduce((sum, { name }) => sum + (widths[name] ?? limits.min), aroundColumns + 190);
}
