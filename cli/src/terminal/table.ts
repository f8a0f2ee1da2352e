import { stripVTControlCharacters } from 'node:util';

/** Rows below a header, columns two spaces apart; the last column is as long as it is. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_title, column) => Math.max(...all.map((row) => width(row[column] ?? ''))));
  return all.map((row) => line(row, widths)).join('\n');
}

function line(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell))));
  return cells.join('  ').trimEnd();
}

function width(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

/** `1 item`, `2 items`; thousands apart. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
